import { parseAllDocuments } from 'yaml';

import type { ManifestObject } from '../../domain/manifests/object.ts';
import { frozen } from './rendering.ts';

const manifests = `
apiVersion: v1
kind: Namespace
metadata: {name: knative-serving}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: aggregated}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: controller}
subjects: [{kind: ServiceAccount, name: controller, namespace: knative-serving}]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: services.example.test}
spec:
  group: example.test
  scope: Namespaced
  names: {kind: Service}
  conversion: {strategy: Webhook, webhook: {clientConfig: {caBundle: Cg==, service: {name: webhook, namespace: knative-serving}}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: config.webhook}
webhooks: [{name: config.webhook, clientConfig: {caBundle: Cg==, service: {name: webhook, namespace: knative-serving}}}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: config-deployment, namespace: knative-serving}
data: {queue-sidecar-image: gcr.test/cmd/queue@sha256:1}
---
apiVersion: v1
kind: Secret
metadata: {name: webhook-certs, namespace: knative-serving}
stringData: {a: b}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: controller, namespace: knative-serving, labels: {app.kubernetes.io/version: 1.23.0}, creationTimestamp: null}
spec:
  template:
    spec:
      containers:
      - name: controller
        image: gcr.test/cmd/controller@sha256:1
        env: [{name: POD_NAME, value: x}]
        readinessProbe: {httpGet: {port: 1}}
status: {}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: webhook, namespace: knative-serving}
spec: {template: {spec: {containers: [{name: webhook, image: gcr.test/cmd/webhook:1}]}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: activator, namespace: knative-serving}
spec: {minReplicas: 1, maxReplicas: 20}
---
apiVersion: v1
kind: Service
metadata: {name: webhook, namespace: knative-serving}
spec: {selector: {app: webhook}, ports: [{port: 443}]}
---
apiVersion: batch/v1
kind: Job
metadata: {generateName: migrate-, namespace: knative-serving}
spec: {template: {spec: {containers: [{name: migrate, image: gcr.test/cmd/migrate:1}]}}}
`;

/** A small Serving release of version 1.23.0 with one object of every kind that is treated specially. Frozen. */
export const smallRelease: readonly ManifestObject[] = frozen(
  parseAllDocuments(manifests).map((document) => document.toJS() as ManifestObject),
);
