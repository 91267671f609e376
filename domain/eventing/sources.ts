import { z } from 'zod';

const source = (name: string) =>
  z
    .object({ enabled: z.boolean().describe(`Installs the ${name} source.`) })
    .optional()
    .describe(`The ${name} event source.`);

/**
 * The part of a KnativeEventing spec that event sources read. Each may stand alone; the Go operator's schema asks for
 * all six.
 */
export const SourceOptions = z
  .object({
    ceph: source('Ceph'),
    github: source('GitHub'),
    gitlab: source('GitLab'),
    kafka: source('Apache Kafka'),
    rabbitmq: source('RabbitMQ'),
    redis: source('Redis'),
  })
  .describe('Event sources to install.');
export type SourceOptions = z.output<typeof SourceOptions>;

/** The sources that a spec enables, in the order that `status.manifests` names them; each is a bundle of its name. */
export function selectedSources(options: SourceOptions | undefined): readonly string[] {
  return Object.keys(SourceOptions.shape).filter(
    (name) => options?.[name as keyof SourceOptions]?.enabled === true,
  );
}
