import { searchAttributeKeys } from '../../workflows/search-attributes.ts';

/** The search attributes that component workflows write, with their types as the server names them: `Keyword`, `Int`. */
export const searchAttributes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(searchAttributeKeys).map(({ name, type }) => [
    name,
    `${type[0] ?? ''}${type.slice(1).toLowerCase()}`,
  ]),
);
