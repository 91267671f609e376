import { z } from 'zod';

import type { ObjectMeta } from '../manifests/object.ts';

/** Metadata as the API server keeps it; checked by the API server, not again here. */
export const ResourceMetadata = z.custom<ObjectMeta>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);
