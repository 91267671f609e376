import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

/** One metric: what is exported, and from which its reference page is generated. */
export interface MetricDeclaration {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: `knative_fleet_${string}`;
  readonly help: string;
  /** The meaning of each label. */
  readonly labels: Readonly<Record<string, string>>;
  /** Of a histogram; in the unit of its name. */
  readonly buckets?: readonly number[];
}

export type MetricDeclarations = Readonly<Record<string, MetricDeclaration>>;

type LabelOf<D extends MetricDeclaration> = keyof D['labels'] & string;

/** The instrument of one declaration; it takes exactly the declared labels. */
export type Instrument<D extends MetricDeclaration> = D['type'] extends 'counter'
  ? Counter<LabelOf<D>>
  : D['type'] extends 'gauge'
    ? Gauge<LabelOf<D>>
    : Histogram<LabelOf<D>>;

export type Instruments<D extends MetricDeclarations> = { readonly [Key in keyof D]: Instrument<D[Key]> };

export function registerMetrics<D extends MetricDeclarations>(
  registry: Registry,
  declarations: D,
): Instruments<D> {
  const entries = Object.entries(declarations).map(([key, declaration]) => [
    key,
    instrument(registry, declaration),
  ]);
  return Object.fromEntries(entries) as Instruments<D>;
}

function instrument(registry: Registry, declaration: MetricDeclaration): Counter | Gauge | Histogram {
  const { name, help, labels, buckets = [] } = declaration;
  const options = { name, help, labelNames: Object.keys(labels), registers: [registry] };
  switch (declaration.type) {
    case 'counter':
      return new Counter(options);
    case 'gauge':
      return new Gauge(options);
    case 'histogram':
      return new Histogram({ ...options, buckets: [...buckets] });
  }
}
