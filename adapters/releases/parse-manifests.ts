import { LineCounter, parseAllDocuments } from 'yaml';
import type { Document, ScalarTag, Tags } from 'yaml';

import { OperatorError } from '../../domain/errors.ts';
import type { JsonRecord, ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord } from '../../domain/manifests/object.ts';

const maxAliases = 100;
/** Resolvers of YAML 1.1 that Kubernetes does not have: it reads these as text. */
const foreignTags = /^tag:yaml\.org,2002:(timestamp|binary|omap|set|pairs)$/;

/**
 * Reads YAML or JSON as kubectl does: `yes` is true, `0644` is octal, `12:30` and dates are text, lists of any kind are
 * flattened, empty documents are skipped. Throws ManifestInvalid naming the source, the document and the line.
 */
export function parseManifests(text: string, source: string): readonly ManifestObject[] {
  if (/^\s*<(!doctype|html)/i.test(text)) {
    throw invalid(source, 'is an HTML page, not a manifest; check that the URL names the file itself');
  }
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    version: '1.1',
    merge: true,
    uniqueKeys: true,
    customTags: kubernetesTags,
    lineCounter: lines,
  });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document, index) => {
    const place = `document ${String(index + 1)}`;
    const value = valueOf(document, source, place);
    return value === null || value === undefined ? [] : flatten(value, source, place);
  });
}

/** Sexagesimal numbers share their tag with ordinary ones; only their own test tells them apart. */
function kubernetesTags(tags: Tags): Tags {
  return tags.filter((tag) => {
    if (typeof tag === 'string') return true;
    if (foreignTags.test(tag.tag)) return false;
    return (tag as ScalarTag).format !== 'TIME';
  });
}

function valueOf(document: Document.Parsed, source: string, place: string): unknown {
  const [error] = document.errors;
  if (error !== undefined) {
    const line = error.linePos?.[0].line;
    const at = line === undefined ? place : `${place}, line ${String(line)}`;
    throw invalid(source, `${at}: ${error.message.split('\n', 1)[0] ?? 'is not YAML'}`);
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    return JSON.parse(JSON.stringify(checkFinite(value) ?? null)) as unknown;
  } catch (error) {
    throw invalid(source, `${place}: ${(error as Error).message}`);
  }
}

function checkFinite(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('a number is not finite');
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new Error(`the number ${String(value)} is too large to be read exactly; quote it`);
  }
  if (Array.isArray(value)) value.forEach(checkFinite);
  else if (isRecord(value)) Object.values(value).forEach(checkFinite);
  return value;
}

function flatten(value: unknown, source: string, place: string): readonly ManifestObject[] {
  if (!isRecord(value)) throw invalid(source, `${place} is not a Kubernetes object but ${describe(value)}`);
  const { items } = value;
  if (Array.isArray(items)) {
    return items.flatMap((item, index) => flatten(item, source, `${place}, item ${String(index + 1)}`));
  }
  return [toObject(value, source, place)];
}

function toObject(value: JsonRecord, source: string, place: string): ManifestObject {
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== 'string' || apiVersion === '') throw invalid(source, `${place} has no apiVersion`);
  if (typeof kind !== 'string' || kind === '') throw invalid(source, `${place} has no kind`);
  const name = isRecord(metadata) ? (metadata['name'] ?? metadata['generateName']) : undefined;
  if (typeof name !== 'string' || name === '') throw invalid(source, `${place} (${kind}) has no metadata.name`);
  return value as ManifestObject;
}

function describe(value: unknown): string {
  if (typeof value !== 'string') return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  return `the text "${value.slice(0, 60)}"`;
}

function invalid(source: string, why: string): OperatorError {
  return new OperatorError('ManifestInvalid', `${source}: ${why}`);
}
