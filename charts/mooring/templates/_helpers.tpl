{{/* The name of a service's objects: the release, unless it is called like the chart, and the service. */}}
{{- define "mooring.fullname" -}}
{{- $release := .root.Release.Name -}}
{{- if eq $release "mooring" -}}
{{- .service | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" $release .service | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "mooring.selectorLabels" -}}
app.kubernetes.io/name: {{ .service }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{- define "mooring.labels" -}}
{{ include "mooring.selectorLabels" . }}
app.kubernetes.io/part-of: mooring
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "mooring.image" -}}
{{- $image := .root.Values.image -}}
{{ $image.registry }}/{{ $image.prefix }}/{{ .service }}:{{ default .root.Chart.AppVersion $image.tag }}
{{- end }}

{{/* What a service reads at start, with a checksum so that a change rolls its pods. */}}
{{- define "mooring.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "mooring.fullname" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
data:
  application.yaml: |
    {{- .config | nindent 4 }}
{{- end }}

{{- define "mooring.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "mooring.fullname" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
{{- end }}

{{/* Spring Cloud Kubernetes tells in health and info which pod it is. */}}
{{- define "mooring.ownPod" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ include "mooring.fullname" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
rules:
- apiGroups: [""]
  resources: [pods]
  verbs: [get]
{{- with .rules }}
{{ . }}
{{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ include "mooring.fullname" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ include "mooring.fullname" . }}
subjects:
- kind: ServiceAccount
  name: {{ include "mooring.fullname" . }}
  namespace: {{ .root.Release.Namespace }}
{{- end }}

{{/*
A service's Deployment. Besides root and service: values (its part of the values), config (as text),
managementPort, admissionPort (0 for none), volumes and mounts (as lists).
*/}}
{{- define "mooring.deployment" -}}
{{- $values := .values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "mooring.fullname" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
spec:
  replicas: {{ $values.replicas }}
  selector:
    matchLabels:
      {{- include "mooring.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "mooring.labels" . | nindent 8 }}
      annotations:
        checksum/config: {{ .config | sha256sum }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "mooring.fullname" . }}
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      # A service drains for up to 20 seconds.
      terminationGracePeriodSeconds: 30
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        seccompProfile:
          type: RuntimeDefault
      containers:
      - name: {{ .service }}
        image: {{ include "mooring.image" . }}
        imagePullPolicy: {{ .root.Values.image.pullPolicy }}
        env:
        # In place of the image's; a service that cannot allocate is better restarted.
        - name: JAVA_TOOL_OPTIONS
          value: {{ printf "-XX:+ExitOnOutOfMemoryError %s" $values.javaOptions | trim | quote }}
        - name: SPRING_PROFILES_ACTIVE
          value: {{ $values.profile | quote }}
        - name: SPRING_CONFIG_ADDITIONAL_LOCATION
          value: file:/etc/mooring/
        ports:
        - name: management
          containerPort: {{ .managementPort }}
        {{- if .admissionPort }}
        - name: admission
          containerPort: {{ .admissionPort }}
        {{- end }}
        startupProbe:
          httpGet:
            path: /actuator/health/liveness
            port: management
          periodSeconds: 2
          failureThreshold: 60
        livenessProbe:
          httpGet:
            path: /actuator/health/liveness
            port: management
          periodSeconds: 10
          failureThreshold: 3
        readinessProbe:
          httpGet:
            path: /actuator/health/readiness
            port: management
          periodSeconds: 5
          failureThreshold: 3
        resources:
          {{- toYaml $values.resources | nindent 10 }}
        securityContext:
          allowPrivilegeEscalation: false
          readOnlyRootFilesystem: true
          capabilities:
            drop: [ALL]
        volumeMounts:
        - name: config
          mountPath: /etc/mooring
          readOnly: true
        - name: kcp
          mountPath: /var/run/mooring/kcp
          readOnly: true
        - name: tmp
          mountPath: /tmp
        {{- range .mounts }}
        - {{ toYaml . | nindent 10 | trim }}
        {{- end }}
      volumes:
      - name: config
        configMap:
          name: {{ include "mooring.fullname" . }}
      - name: kcp
        secret:
          secretName: {{ $values.kcp.kubeconfigSecret }}
          defaultMode: 0440
          items:
          - key: {{ $values.kcp.kubeconfigKey }}
            path: kubeconfig
      - name: tmp
        emptyDir: {}
      {{- range .volumes }}
      - {{ toYaml . | nindent 8 | trim }}
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
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "mooring.fullname" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "mooring.selectorLabels" . | nindent 6 }}
  policyTypes: [Ingress]
  {{- $managementFrom := .root.Values.networkPolicy.managementFrom }}
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
metadata:
  name: {{ include "mooring.fullname" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "mooring.labels" . | nindent 4 }}
spec:
  maxUnavailable: {{ .root.Values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "mooring.selectorLabels" . | nindent 6 }}
{{- end }}
