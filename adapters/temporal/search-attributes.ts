import { isGrpcServiceError } from '@temporalio/client';
import type { Connection } from '@temporalio/client';

import { messageOf } from '../../domain/errors.ts';

/** The part of a connection that knows search attributes; a worker's connection has it as well. */
export interface SearchAttributeServer {
  readonly operatorService: Pick<
    Connection['operatorService'],
    'listSearchAttributes' | 'addSearchAttributes'
  >;
}

/** Name to type, as the server names types: `Keyword`, `Int`. */
export type SearchAttributeTypes = Readonly<Record<string, string>>;

/** Wire numbers of temporal.api.enums.v1.IndexedValueType. */
const typeNumbers: Readonly<Record<string, number>> = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
};

const codes = { notFound: 5, permissionDenied: 7, unimplemented: 12 } as const;

/** What a namespace lacks. */
export type SearchAttributeCheck =
  | { readonly state: 'registered' }
  | { readonly state: 'missing'; readonly missing: SearchAttributeTypes }
  /** Registered with another type: `KnReady is Keyword, not Bool`. Only a person can change that. */
  | { readonly state: 'wrong-type'; readonly problems: readonly string[] }
  | { readonly state: 'no-namespace' }
  /** The server does not let these credentials look, as Temporal Cloud does. */
  | { readonly state: 'unknown'; readonly why: string };

/** Compares what is registered in a namespace with what is wanted. Rejects when the server does not answer. */
export async function checkSearchAttributes(
  server: SearchAttributeServer,
  namespace: string,
  wanted: SearchAttributeTypes,
): Promise<SearchAttributeCheck> {
  try {
    const { customAttributes } = await server.operatorService.listSearchAttributes({ namespace });
    return compare(customAttributes ?? {}, wanted);
  } catch (error) {
    const code = isGrpcServiceError(error) ? error.code : codeOf(error);
    if (code === codes.notFound) return { state: 'no-namespace' };
    if (code === codes.permissionDenied || code === codes.unimplemented) {
      return { state: 'unknown', why: messageOf(error) };
    }
    throw error;
  }
}

/** Idempotent: what is registered already stays as it is. */
export async function registerSearchAttributes(
  server: SearchAttributeServer,
  namespace: string,
  types: SearchAttributeTypes,
): Promise<void> {
  const searchAttributes = Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, typeNumbers[type] ?? 0]),
  );
  await server.operatorService.addSearchAttributes({ namespace, searchAttributes });
}

/** The commands that register attributes by hand. */
export function registrationCommand(namespace: string, types: SearchAttributeTypes): string {
  const flags = Object.entries(types).flatMap(([name, type]) => [`--name ${name}`, `--type ${type}`]);
  return `temporal operator search-attribute create --namespace ${namespace} ${flags.join(' ')}`;
}

function compare(
  registered: Readonly<Record<string, unknown>>,
  wanted: SearchAttributeTypes,
): SearchAttributeCheck {
  const names = Object.keys(wanted);
  const problems = names
    .filter((name) => name in registered && registered[name] !== typeNumbers[wanted[name] ?? ''])
    .map((name) => `${name} is ${typeName(registered[name])}, not ${wanted[name] ?? ''}`);
  if (problems.length > 0) return { state: 'wrong-type', problems };
  const missing = Object.entries(wanted).filter(([name]) => !(name in registered));
  return missing.length === 0
    ? { state: 'registered' }
    : { state: 'missing', missing: Object.fromEntries(missing) };
}

function typeName(number: unknown): string {
  return Object.keys(typeNumbers).find((name) => typeNumbers[name] === number) ?? String(number);
}

/** The native connection of a worker has its own error class with the same codes. */
function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : undefined;
}
