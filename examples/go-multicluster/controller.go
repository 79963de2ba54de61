// Package buckets gives the Buckets of all consumers an endpoint.
package buckets

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcbuilder "sigs.k8s.io/multicluster-runtime/pkg/builder"
	mcmanager "sigs.k8s.io/multicluster-runtime/pkg/manager"
	mcreconcile "sigs.k8s.io/multicluster-runtime/pkg/reconcile"
)

// GVK is the kind that consumers create.
var GVK = schema.GroupVersionKind{Group: "storage.example.dev", Version: "v1", Kind: "Bucket"}

// NewBucket returns an empty Bucket.
func NewBucket() *unstructured.Unstructured {
	bucket := &unstructured.Unstructured{}
	bucket.SetGroupVersionKind(GVK)
	return bucket
}

// AddController adds the controller to a manager, which brings it to each consumer's workspace.
func AddController(mgr mcmanager.Manager) error {
	return mcbuilder.ControllerManagedBy(mgr).
		Named("buckets").
		For(NewBucket()).
		Complete(mcreconcile.Func(func(ctx context.Context, req mcreconcile.Request) (ctrl.Result, error) {
			consumer, err := mgr.GetCluster(ctx, req.ClusterName)
			if err != nil {
				return ctrl.Result{}, err
			}
			bucket := NewBucket()
			if err := consumer.GetClient().Get(ctx, req.NamespacedName, bucket); err != nil {
				return ctrl.Result{}, client.IgnoreNotFound(err)
			}
			region, _, _ := unstructured.NestedString(bucket.Object, "spec", "region")
			wanted := fmt.Sprintf("https://%s.%s.%s.storage.example.dev",
				req.Name, bucket.GetAnnotations()["kcp.io/cluster"], region)
			if is, _, _ := unstructured.NestedString(bucket.Object, "status", "endpoint"); is == wanted {
				return ctrl.Result{}, nil
			}
			if err := unstructured.SetNestedField(bucket.Object, wanted, "status", "endpoint"); err != nil {
				return ctrl.Result{}, err
			}
			return ctrl.Result{}, consumer.GetClient().Status().Update(ctx, bucket)
		}))
}
