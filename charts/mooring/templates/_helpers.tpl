{{/*
What templates of a service are given, as "self": root (the chart's context), service (its name), agent
(the name of one of several sync agents, or ""), values (its part of the values, over pods), config
(application.yaml as text), managementPort, admissionPort (0 for none), graceSeconds, token (whether it
needs its ServiceAccount's), mounts and volumes (as lists).
*/}}

{{/* What all names begin with. */}}
{{- define "mooring.base" -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride }}
{{- else if .Values.nameOverride -}}
{{ printf "%s-%s" .Release.Name .Values.nameOverride }}
{{- else -}}
{{ .Release.Name }}
{{- end -}}
{{- end }}

{{/*
The name of a service's objects. Services want DNS labels of at most 63 characters that begin with a
letter, and "-management" is appended to some: names that are too long, or that a release may have and a
Service may not, are cut and end in a hash of the whole, so that they stay different.
*/}}
{{- define "mooring.fullname" -}}
{{- $full := printf "%s-%s" (include "mooring.base" .root) .service -}}
{{- with .agent -}}
{{- $full = printf "%s-%s" $full . -}}
{{- end -}}
{{- if and (le (len $full) 52) (regexMatch "^[a-z][a-z0-9-]*$" $full) -}}
{{ $full }}
{{- else -}}
{{ printf "%s-%s" (printf "r-%s" $full | replace "." "-" | trimPrefix (ternary "r-" "" (regexMatch "^[a-z]" $full)) | trunc 43 | trimAll "-") ($full | sha256sum | trunc 8) }}
{{- end -}}
{{- end }}

{{/* Of ClusterRoles, which have no namespace of their own. */}}
{{- define "mooring.clusterName" -}}
{{ printf "%s:%s" .root.Release.Namespace (include "mooring.fullname" .) }}
{{- end }}

{{- define "mooring.selectorLabels" -}}
app.kubernetes.io/name: {{ .service }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
{{- with .agent }}
app.kubernetes.io/component: {{ . | quote }}
{{- end }}
{{- end }}

{{- define "mooring.labels" -}}
{{ include "mooring.selectorLabels" . }}
app.kubernetes.io/part-of: mooring
app.kubernetes.io/version: {{ .root.Chart.AppVersion | replace "+" "_" | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "mooring.metadata" -}}
metadata:
  name: {{ include "mooring.fullname" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
{{- end }}

{{- define "mooring.image" -}}
{{- $image := .root.Values.image -}}
{{- $name := printf "%s/%s/%s" $image.registry $image.prefix .service -}}
{{- if .values.image.digest -}}
{{ printf "%s@%s" $name .values.image.digest }}
{{- else -}}
{{ printf "%s:%s" $name (default .root.Chart.AppVersion $image.tag) }}
{{- end -}}
{{- end }}

{{/* A service's part of the values over what holds for the pods of every service, as YAML. */}}
{{- define "mooring.values" -}}
{{ mergeOverwrite (deepCopy .root.Values.pods) (deepCopy .values) | toYaml }}
{{- end }}

{{/* The sync agents of this release by their names: one without a name, or those of syncAgents. As YAML. */}}
{{- define "mooring.agents" -}}
{{- $agents := dict -}}
{{- if not .Values.syncAgents -}}
{{- $_ := set $agents "" .Values.syncAgent -}}
{{- end -}}
{{- range $name, $own := .Values.syncAgents -}}
{{- $_ := set $agents $name (mergeOverwrite (deepCopy $.Values.syncAgent) (deepCopy (default dict $own))) -}}
{{- end -}}
{{- range $name, $values := $agents -}}
{{- if not $values.enabled -}}
{{- $_ := unset $agents $name -}}
{{- end -}}
{{- end -}}
{{ toYaml $agents }}
{{- end }}

{{/*
What a service reads at start: own (what the chart says below mooring.<service>), base (what it says
elsewhere), and what the values say over it. As YAML.
*/}}
{{- define "mooring.properties" -}}
{{- $below := mergeOverwrite .own (deepCopy .values.config) -}}
{{- $all := mergeOverwrite (include "mooring.managementTls" . | fromYaml) (include "mooring.tracing" . | fromYaml) (default dict .base) (dict "mooring" (dict .service $below)) -}}
{{ mergeOverwrite $all (deepCopy .values.properties) | toYaml }}
{{- end }}

{{/* TLS of the management port: the webhook has one for it alone, the other services serve nothing else. As YAML. */}}
{{- define "mooring.managementTls" -}}
{{- if .values.management.tls.secret -}}
{{- $files := dict "certificate" "file:/var/run/mooring/management-tls/tls.crt" "private-key" "file:/var/run/mooring/management-tls/tls.key" -}}
{{- $bundle := dict "spring" (dict "ssl" (dict "bundle" (dict "pem" (dict "management" (dict "reload-on-update" true "keystore" $files))))) -}}
{{- $server := dict "server" (dict "ssl" (dict "bundle" "management")) -}}
{{- if eq .service "dependency-webhook" -}}
{{- $server = dict "management" (dict "server" (dict "ssl" (dict "enabled" true "bundle" "management"))) -}}
{{- end -}}
{{ mergeOverwrite $bundle $server | toYaml }}
{{- end -}}
{{- end }}

{{/* Where spans go, and of how many traces. As YAML. */}}
{{- define "mooring.tracing" -}}
{{- with .root.Values.tracing -}}
{{- if .otlpEndpoint -}}
management:
  opentelemetry:
    tracing:
      export:
        otlp:
          endpoint: {{ .otlpEndpoint | quote }}
  tracing:
    sampling:
      probability: {{ .samplingProbability }}
{{- end -}}
{{- end -}}
{{- end }}

{{/* A duration of the form 75s in milliseconds; -1 if it has another form. */}}
{{- define "mooring.milliseconds" -}}
{{- $text := toString . -}}
{{- $unit := get (dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000) (regexReplaceAll "^[0-9]+" $text "") -}}
{{- if and $unit (regexMatch "^[0-9]{1,9}[a-z]" $text) -}}
{{ mul (regexFind "^[0-9]+" $text | int64) $unit }}
{{- else -}}
-1
{{- end -}}
{{- end }}

{{/* Once around a namespaced service's common objects. */}}
{{- define "mooring.service" -}}
{{ include "mooring.configMap" . }}
{{- if .values.serviceAccount.create }}
---
{{ include "mooring.serviceAccount" . }}
{{- end }}
{{- if and (eq .values.configSource "kubernetes") (dig "rbac" "create" true .values) }}
---
{{ include "mooring.configRole" . }}
{{- end }}
---
{{ include "mooring.deployment" . }}
---
{{ include "mooring.managementService" . }}
{{- if .root.Values.networkPolicy.enabled }}
---
{{ include "mooring.networkPolicy" . }}
{{- end }}
{{- if and .root.Values.podDisruptionBudget.enabled (gt (int .values.replicas) 1) }}
---
{{ include "mooring.disruptionBudget" . }}
{{- end }}
{{- if .root.Values.metrics.serviceMonitor.enabled }}
---
{{ include "mooring.serviceMonitor" . }}
{{- end }}
{{- if .root.Values.metrics.rules.enabled }}
---
{{ include "mooring.prometheusRule" . }}
{{- end }}
{{- end }}

{{- define "mooring.configMap" -}}
apiVersion: v1
kind: ConfigMap
{{ include "mooring.metadata" . }}
data:
  application.yaml: |
    {{- .config | nindent 4 }}
{{- end }}

{{- define "mooring.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "mooring.serviceAccountName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
  {{- with .values.serviceAccount.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: {{ include "mooring.token" . }}
{{- end }}

{{- define "mooring.serviceAccountName" -}}
{{ .values.serviceAccount.name | default (ternary (include "mooring.fullname" .) "default" .values.serviceAccount.create) }}
{{- end }}

{{/* Whether the pod gets its ServiceAccount's token. */}}
{{- define "mooring.token" -}}
{{ or .token (eq .values.configSource "kubernetes") }}
{{- end }}

{{/*
What a service that reads its configuration from the API server may read: the ConfigMap and the Secret of
its name, and those of its profiles. Kubernetes permits a list of a name to a request that selects it by
metadata.name.
*/}}
{{- define "mooring.configRole" -}}
{{- $name := include "mooring.fullname" . -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name }}-config
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
rules:
- apiGroups: [""]
  resources: [configmaps, secrets]
  # Spring Cloud Kubernetes adds profile kubernetes.
  resourceNames: [{{ $name }}, {{ $name }}-{{ .values.profile }}, {{ $name }}-kubernetes]
  verbs: [get, list]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}-config
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ $name }}-config
subjects:
- kind: ServiceAccount
  name: {{ include "mooring.serviceAccountName" . }}
  namespace: {{ .root.Release.Namespace }}
{{- end }}

{{/* With a checksum of the configuration, so that a change rolls the pods. */}}
{{- define "mooring.deployment" -}}
{{- $values := .values -}}
{{- $self := . -}}
{{- $mounts := concat .mounts $values.extraVolumeMounts -}}
{{- $volumes := concat .volumes $values.extraVolumes -}}
{{- $tls := $values.management.tls.secret -}}
{{- if $tls -}}
{{- $mounts = prepend $mounts (dict "name" "management-tls" "mountPath" "/var/run/mooring/management-tls" "readOnly" true) -}}
{{- $volumes = prepend $volumes (dict "name" "management-tls" "secret" (dict "secretName" $tls "defaultMode" 288)) -}}
{{- end -}}
apiVersion: apps/v1
kind: Deployment
{{ include "mooring.metadata" . }}
spec:
  replicas: {{ $values.replicas | int }}
  {{- with $values.strategy }}
  strategy:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "mooring.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- mergeOverwrite (deepCopy $values.podLabels) (include "mooring.labels" . | fromYaml) | toYaml | nindent 8 }}
      annotations:
        {{- mergeOverwrite (deepCopy $values.podAnnotations) (dict "checksum/config" (.config | sha256sum)) | toYaml | nindent 8 }}
    spec:
      serviceAccountName: {{ include "mooring.serviceAccountName" . }}
      automountServiceAccountToken: {{ include "mooring.token" . }}
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.priorityClassName }}
      priorityClassName: {{ . | quote }}
      {{- end }}
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds | int | default (.graceSeconds | int) }}
      {{- with $values.podSecurityContext }}
      securityContext:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.dnsPolicy }}
      dnsPolicy: {{ . }}
      {{- end }}
      {{- range $field := list "dnsConfig" "hostAliases" "initContainers" }}
      {{- with get $values $field }}
      {{ $field }}:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- end }}
      containers:
      - name: {{ .service }}
        image: {{ include "mooring.image" . | quote }}
        imagePullPolicy: {{ .root.Values.image.pullPolicy }}
        env:
        # In place of the image's; a service that cannot allocate is better restarted.
        - name: JAVA_TOOL_OPTIONS
          value: {{ printf "-XX:+ExitOnOutOfMemoryError %s" $values.javaOptions | trim | quote }}
        - name: SPRING_PROFILES_ACTIVE
          value: {{ $values.profile | quote }}
        {{- if eq $values.configSource "kubernetes" }}
        - name: SPRING_MAIN_CLOUD_PLATFORM
          value: kubernetes
        - name: SPRING_CONFIG_IMPORT
          value: "kubernetes:"
        - name: SPRING_CLOUD_KUBERNETES_CLIENT_NAMESPACE
          value: {{ .root.Release.Namespace | quote }}
        - name: SPRING_CLOUD_KUBERNETES_CONFIG_NAME
          value: {{ include "mooring.fullname" . }}
        - name: SPRING_CLOUD_KUBERNETES_SECRETS_NAME
          value: {{ include "mooring.fullname" . }}
        {{- else }}
        # Early, or Spring Cloud Kubernetes makes a client to find out where it is.
        - name: SPRING_MAIN_CLOUD_PLATFORM
          value: {{ dig "spring" "main" "cloud-platform" "none" (.config | fromYaml) | quote }}
        - name: SPRING_CONFIG_ADDITIONAL_LOCATION
          value: file:/etc/mooring/
        {{- end }}
        {{- with $values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        ports:
        - name: management
          containerPort: {{ .managementPort }}
        {{- if .admissionPort }}
        - name: admission
          containerPort: {{ .admissionPort }}
        {{- end }}
        {{- range $probe, $path := dict "startupProbe" "liveness" "livenessProbe" "liveness" "readinessProbe" "readiness" }}
        {{ $probe }}:
          httpGet:
            path: /actuator/health/{{ $path }}
            port: management
            {{- if $tls }}
            scheme: HTTPS
            {{- end }}
          {{- get $values $probe | toYaml | nindent 10 }}
        {{- end }}
        resources:
          {{- toYaml $values.resources | nindent 10 }}
        {{- with $values.securityContext }}
        securityContext:
          {{- toYaml . | nindent 10 }}
        {{- end }}
        volumeMounts:
        {{- if eq $values.configSource "file" }}
        - name: config
          mountPath: /etc/mooring
          readOnly: true
        {{- end }}
        - name: kcp
          mountPath: /var/run/mooring/kcp
          readOnly: true
        - name: tmp
          mountPath: /tmp
        {{- with $mounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
      {{- if eq $values.configSource "file" }}
      - name: config
        configMap:
          name: {{ include "mooring.fullname" . }}
      {{- end }}
      - name: kcp
        secret:
          secretName: {{ $values.kcp.kubeconfigSecret }}
          defaultMode: 0440
          items:
          - key: {{ $values.kcp.kubeconfigKey }}
            path: kubeconfig
      - name: tmp
        emptyDir: {}
      {{- with $volumes }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.topologySpreadConstraints }}
      topologySpreadConstraints:
      {{- range . }}
      - {{ mergeOverwrite (dict "labelSelector" (dict "matchLabels" (include "mooring.selectorLabels" $self | fromYaml))) (deepCopy .) | toYaml | nindent 8 | trim }}
      {{- end }}
      {{- end }}
{{- end }}

{{- define "mooring.managementService" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "mooring.fullname" . }}-management
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
spec:
  selector:
    {{- include "mooring.selectorLabels" . | nindent 4 }}
  ports:
  - name: management
    port: {{ .managementPort }}
    targetPort: management
{{- end }}

{{- define "mooring.networkPolicy" -}}
{{- $managementFrom := .root.Values.networkPolicy.managementFrom }}
{{- if and (not $managementFrom) .root.Values.metrics.serviceMonitor.enabled }}
{{- $managementFrom = list (dict "namespaceSelector" dict) }}
{{- end -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
{{ include "mooring.metadata" . }}
spec:
  podSelector:
    matchLabels:
      {{- include "mooring.selectorLabels" . | nindent 6 }}
  policyTypes: [Ingress]
  {{- if or .admissionPort $managementFrom }}
  ingress:
  {{- if .admissionPort }}
  # kcp calls from outside this cluster.
  - ports:
    - port: {{ .admissionPort }}
    {{- with .root.Values.networkPolicy.admissionFrom }}
    from:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  {{- end }}
  {{- with $managementFrom }}
  - from:
      {{- toYaml . | nindent 6 }}
    ports:
    - port: {{ $.managementPort }}
  {{- end }}
  {{- else }}
  ingress: []
  {{- end }}
{{- end }}

{{- define "mooring.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
{{ include "mooring.metadata" . }}
spec:
  maxUnavailable: {{ .root.Values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "mooring.selectorLabels" . | nindent 6 }}
{{- end }}

{{- define "mooring.serviceMonitor" -}}
{{- $monitor := .root.Values.metrics.serviceMonitor -}}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: {{ include "mooring.fullname" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- mergeOverwrite (deepCopy $monitor.labels) (include "mooring.labels" . | fromYaml) | toYaml | nindent 4 }}
spec:
  selector:
    matchLabels:
      {{- include "mooring.selectorLabels" . | nindent 6 }}
  endpoints:
  - port: management
    path: /actuator/prometheus
    {{- with $monitor.interval }}
    interval: {{ . }}
    {{- end }}
    {{- with .values.management.tls.secret }}
    scheme: https
    tlsConfig:
      {{- $default := dict "ca" (dict "secret" (dict "name" . "key" "ca.crt")) "serverName" (printf "%s-management.%s.svc" (include "mooring.fullname" $) $.root.Release.Namespace) }}
      {{- default $default $monitor.tlsConfig | toYaml | nindent 6 }}
    {{- end }}
{{- end }}

{{/* The alerts of every service and of this one, of its own scrapes alone. */}}
{{- define "mooring.prometheusRule" -}}
{{- $rules := .root.Values.metrics.rules -}}
{{- $scope := printf "namespace=%q, job=\"%s-management\"" .root.Release.Namespace (include "mooring.fullname" .) -}}
{{- $alerts := .root.Files.Get "alerts.yaml" | fromYaml -}}
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: {{ include "mooring.fullname" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- mergeOverwrite (deepCopy $rules.labels) (include "mooring.labels" . | fromYaml) | toYaml | nindent 4 }}
spec:
  groups:
  - name: {{ include "mooring.fullname" . }}
    rules:
    {{- range concat $alerts.all (get $alerts .service) }}
    {{- if not (has .alert $rules.disabled) }}
    - {{ mergeOverwrite (deepCopy .) (dict "expr" (replace "$scope" $scope .expr) "annotations" (dict "runbook_url" (printf "%s#%s" $rules.runbookUrl (lower .alert)))) | toYaml | nindent 6 | trim }}
    {{- end }}
    {{- end }}
{{- end }}
