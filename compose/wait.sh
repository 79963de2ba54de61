# Read by set-up.sh and consumer.sh: waiting, for at most so many seconds each time.
timeout=180

wait_for() { # what, command...
  local what=$1 deadline=$((SECONDS + timeout))
  shift
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS >= deadline)); then
      echo "$(basename "$0" .sh): waited $timeout s in vain until $what:" >&2
      "$@" >&2 || true
      exit 1
    fi
    sleep 1
  done
}
