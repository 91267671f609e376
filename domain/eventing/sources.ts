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
