#!/usr/bin/env bash
# Makes the certificates of the example: a CA for kcp's clients with a certificate for each user, and
# a CA with the webhook's serving certificate. What is there already stays.
#
#   CERTIFICATES   where to put them: <name>.crt and <name>.key
#   WEBHOOK_HOST   the host in the webhook's URL
set -euo pipefail
umask 077
cd "$CERTIFICATES"

authority() { # file
  [[ -s $1.crt ]] || {
    openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=mooring-compose-$1" -keyout "$1.key" -out "$1.part" 2>/dev/null
    mv "$1.part" "$1.crt"
  }
}

certificate() { # file, common name, authority, extensions
  [[ -s $1.crt ]] || {
    openssl req -newkey rsa:2048 -nodes -subj "/CN=$2" -keyout "$1.key" 2>/dev/null |
      openssl x509 -req -days 365 -CA "$3.crt" -CAkey "$3.key" -set_serial "0x$(openssl rand -hex 16)" \
        -extfile <(printf '%b' "$4") -out "$1.part" 2>/dev/null
    mv "$1.part" "$1.crt"
  }
}

authority client-ca
for user in sync-agent dependency-controller dependency-webhook; do
  certificate "$user" "mooring:$user" client-ca 'extendedKeyUsage=clientAuth'
done
certificate alice alice client-ca 'extendedKeyUsage=clientAuth'

kind=DNS
[[ $WEBHOOK_HOST =~ ^[0-9.]+$ ]] && kind=IP
authority webhook-ca
certificate webhook "$WEBHOOK_HOST" webhook-ca "subjectAltName=$kind:$WEBHOOK_HOST\nextendedKeyUsage=serverAuth"

# Servers run as other users and need the authority, never its key.
chmod 755 .
chmod 644 client-ca.crt webhook-ca.crt
echo "certificates: ready"
