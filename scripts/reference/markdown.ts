/** A Markdown table; a bar inside a cell is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** The whole page: a title, where it comes from, and its parts with an empty line between them. */
export function page(title: string, source: string, parts: readonly string[]): string {
  return `${[`# ${title}`, `Generated from ${code(source)} by ${code('npm run generate')}.`, ...parts].join('\n\n')}\n`;
}
