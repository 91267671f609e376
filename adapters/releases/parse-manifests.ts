import { LineCounter, parseAllDocuments } from 'yaml';
import type { Document } from 'yaml';

import { messageOf, OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord } from '../../domain/manifests/object.ts';
import { findProblem } from './check-document.ts';
import { kubernetesTags } from './yaml-tags.ts';

/** Real manifests use a handful; each is multiplied by the aliases inside of what it stands for. */
const maxAliases = 100;

/**
 * Reads YAML or JSON as kubectl does: `yes` is true, `0644` is octal, `12:30` and dates are text, merge keys are
 * followed, lists of any kind are flattened, empty documents are skipped. Unlike kubectl it refuses duplicate keys and
 * numbers that would be rounded, and an explicit key wins over a merged one wherever it stands. Throws ManifestInvalid
 * naming the source, the document and the line.
 */
export function parseManifests(text: string, source: string): readonly ManifestObject[] {
  refuseNoManifest(text, source);
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    version: '1.1',
    merge: true,
    uniqueKeys: true,
    logLevel: 'error',
    customTags: kubernetesTags,
    lineCounter: lines,
  });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document, index) => {
    const place = placeOf(source, index + 1, lines);
    const value = valueOf(document, place);
    const start = document.contents?.range?.[0];
    return value === null || value === undefined ? [] : flatten(value, (why) => place(start, why));
  });
}

function refuseNoManifest(text: string, source: string): void {
  if (text.trim() === '') {
    throw invalid(`${source} is empty; the file was cut off or never written, so fetch it again`);
  }
  if (/^\uFEFF?\s*<(!doctype|html|\?xml)/i.test(text)) {
    throw invalid(`${source} is a web page, not a manifest; check that the URL names the file itself`);
  }
}

/** An error at an offset of a document. */
type Place = (offset: number | undefined, why: string) => OperatorError;

function placeOf(source: string, document: number, lines: LineCounter): Place {
  return (offset, why) => {
    const line = offset === undefined ? '' : `, line ${String(lines.linePos(offset).line)}`;
    return invalid(`${source}, document ${String(document)}${line}: ${why}`);
  };
}

function valueOf(document: Document.Parsed, place: Place): unknown {
  const [error] = document.errors;
  if (error !== undefined) throw place(error.pos[0], firstLine(error.message));
  const problem = findProblem(document);
  if (problem !== undefined) throw place(problem.offset, problem.message);
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    // Aliases share one object in memory; a copy lets each be changed alone.
    return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
  } catch (cause) {
    throw place(document.contents?.range?.[0], firstLine(messageOf(cause)));
  }
}

/** The parser repeats the text after its message, and names the line within it. */
function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? message).replace(/ at line \d+, column \d+:?$/, '');
}

function flatten(value: unknown, refuse: (why: string) => OperatorError): readonly ManifestObject[] {
  if (!isRecord(value)) throw refuse(`this is no Kubernetes object but ${describeValue(value)}`);
  const { items } = value;
  if (Array.isArray(items)) {
    return items.flatMap((item, index) =>
      flatten(item, (why) => refuse(`item ${String(index + 1)} of the list: ${why}`)),
    );
  }
  const { apiVersion, kind, metadata } = value;
  if (!isText(apiVersion)) throw refuse('the object has no apiVersion');
  if (!isText(kind)) throw refuse('the object has no kind');
  const { name, generateName } = isRecord(metadata) ? metadata : {};
  if (!isText(name) && !isText(generateName)) {
    throw refuse(`the ${kind} has neither metadata.name nor metadata.generateName, as text`);
  }
  return [value as unknown as ManifestObject];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function describeValue(value: unknown): string {
  if (typeof value !== 'string') return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  return `the text "${value.slice(0, 60)}"`;
}

function invalid(message: string): OperatorError {
  return new OperatorError('ManifestInvalid', message);
}
