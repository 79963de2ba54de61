package buckets

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/yaml"

	mcmanager "sigs.k8s.io/multicluster-runtime/pkg/manager"

	"github.com/kcp-dev/logicalcluster/v3"
	"github.com/kcp-dev/multicluster-provider/apiexport"
	clusterclient "github.com/kcp-dev/multicluster-provider/client"
	"github.com/kcp-dev/multicluster-provider/envtest"
	apisv1alpha1 "github.com/kcp-dev/sdk/apis/apis/v1alpha1"
	apisv1alpha2 "github.com/kcp-dev/sdk/apis/apis/v1alpha2"
	"github.com/kcp-dev/sdk/apis/core"
	corev1alpha1 "github.com/kcp-dev/sdk/apis/core/v1alpha1"
	tenancyv1alpha1 "github.com/kcp-dev/sdk/apis/tenancy/v1alpha1"
)

func init() {
	for _, add := range []func(*runtime.Scheme) error{
		apisv1alpha1.AddToScheme, apisv1alpha2.AddToScheme, corev1alpha1.AddToScheme, tenancyv1alpha1.AddToScheme,
	} {
		if err := add(scheme.Scheme); err != nil {
			panic(err)
		}
	}
}

// The kcp is that of KUBECONFIG with USE_EXISTING_KCP=true, else one that envtest starts.
func TestEachConsumersBucketGetsItsOwnEndpoint(t *testing.T) {
	env := &envtest.Environment{}
	config, err := env.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = env.Stop() })
	kcp, err := clusterclient.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()

	_, provider := envtest.NewWorkspaceFixture(t, kcp, core.RootCluster.Path(), envtest.WithNamePrefix("provider"))
	apply(t, kcp.Cluster(provider), "apiresourceschema.yaml", "")
	apply(t, kcp.Cluster(provider), "apiexport.yaml", "")
	consumers := map[string]logicalcluster.Path{}
	for _, name := range []string{"acme", "globex"} {
		ws, path := envtest.NewWorkspaceFixture(t, kcp, core.RootCluster.Path(), envtest.WithNamePrefix(name))
		consumers[ws.Spec.Cluster] = path
		apply(t, kcp.Cluster(path), "apibinding.yaml", provider.String())
		envtest.Eventually(t, func() (bool, string) {
			binding := &apisv1alpha2.APIBinding{}
			if err := kcp.Cluster(path).Get(ctx, client.ObjectKey{Name: "buckets"}, binding); err != nil {
				return false, err.Error()
			}
			return binding.Status.Phase == apisv1alpha2.APIBindingPhaseBound, fmt.Sprint(binding.Status)
		}, 30*time.Second, 100*time.Millisecond, "the binding in %s is not bound", path)
	}

	startController(ctx, t, config, provider)
	for _, path := range consumers {
		bucket := NewBucket()
		bucket.SetName("logs")
		bucket.SetNamespace(corev1.NamespaceDefault)
		bucket.Object["spec"] = map[string]any{"region": "eu"}
		if err := kcp.Cluster(path).Create(ctx, bucket); err != nil {
			t.Fatal(err)
		}
	}

	for cluster, path := range consumers {
		wanted := fmt.Sprintf("https://logs.%s.eu.storage.example.dev", cluster)
		envtest.Eventually(t, func() (bool, string) {
			bucket := NewBucket()
			key := client.ObjectKey{Namespace: corev1.NamespaceDefault, Name: "logs"}
			if err := kcp.Cluster(path).Get(ctx, key, bucket); err != nil {
				return false, err.Error()
			}
			endpoint, _, _ := unstructured.NestedString(bucket.Object, "status", "endpoint")
			return endpoint == wanted, fmt.Sprintf("endpoint %q", endpoint)
		}, 30*time.Second, 100*time.Millisecond, "the bucket of %s gets no endpoint", path)
	}
}

// startController runs it on the virtual workspaces of the provider's APIExport.
func startController(ctx context.Context, t *testing.T, config *rest.Config, provider logicalcluster.Path) {
	t.Helper()
	there := rest.CopyConfig(config)
	there.Host += provider.RequestPath()
	clusters, err := apiexport.New(there, "buckets", apiexport.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mgr, err := mcmanager.New(there, clusters, manager.Options{Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := AddController(mgr); err != nil {
		t.Fatal(err)
	}
	go func() {
		if err := mgr.Start(ctx); err != nil {
			t.Error(err)
		}
	}()
}

// apply creates the object of a manifest.
func apply(t *testing.T, c client.Client, manifest, provider string) {
	t.Helper()
	text, err := os.ReadFile("../manifests/" + manifest)
	if err != nil {
		t.Fatal(err)
	}
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(strings.ReplaceAll(string(text), "PROVIDER", provider)), object); err != nil {
		t.Fatal(err)
	}
	envtest.Eventually(t, func() (bool, string) {
		err := c.Create(t.Context(), object.DeepCopy())
		return err == nil, fmt.Sprint(err)
	}, 30*time.Second, 100*time.Millisecond, "cannot create %s", manifest)
}
