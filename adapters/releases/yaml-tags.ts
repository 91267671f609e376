import type { ScalarTag, Tags } from 'yaml';

/** Resolvers of YAML 1.1 that Kubernetes does not have: it reads these as text. */
const foreignTags = /^tag:yaml\.org,2002:(timestamp|binary|omap|set|pairs)$/;

/** `0o644`, which YAML 1.1 takes for text and kubectl for a number. */
const octal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?0o[0-7]+$/,
  resolve: (text) => Number.parseInt(text.replace('0o', ''), 8),
};

/** kubectl decodes explicit binary to text. */
const binary: ScalarTag = {
  tag: 'tag:yaml.org,2002:binary',
  default: false,
  resolve: (text) => Buffer.from(text, 'base64').toString('utf8'),
};

/**
 * The tags of YAML 1.1 without dates and base-60 numbers, so that `12:30` and `2001-12-14` stay text. Base-60 numbers
 * share their tag with ordinary ones; only their format tells them apart.
 */
export function kubernetesTags(tags: Tags): Tags {
  const kept = tags.filter(
    (tag) =>
      typeof tag === 'string' || !(foreignTags.test(tag.tag) || ('format' in tag && tag.format === 'TIME')),
  );
  return [...kept, octal, binary];
}
