/** A fenced block of a Markdown page. */
export interface CodeBlock {
  /** The first word behind the fence, such as `sh`. */
  readonly language: string;
  /** What follows it, such as `terminal-1`. */
  readonly info: string;
  readonly text: string;
}

/** Every fenced block of a Markdown page in order; the indentation of one in a list is taken off. */
export function codeBlocks(markdown: string): readonly CodeBlock[] {
  const found = markdown.matchAll(/^( *)```(\w+)([^\n]*)\n([\s\S]*?)^\1```$/gm);
  return [...found].map(([, indent = '', language = '', info = '', body = '']) => ({
    language,
    info: info.trim(),
    text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** The first line of a block that no test can run, and why; it is shown to the reader. */
const needs = /^# Needs .+$/m;

/** The shell commands of a page that a test can run, block by block; those of a named terminal are not among them. */
export function shellBlocks(markdown: string): readonly string[] {
  return codeBlocks(markdown)
    .filter(({ language, info, text }) => language === 'sh' && info === '' && !needs.test(firstLine(text)))
    .map(({ text }) => text);
}

/** The shell commands that say what they need and no test has. */
export function foreignShellBlocks(markdown: string): readonly string[] {
  return codeBlocks(markdown)
    .filter(({ language, text }) => language === 'sh' && needs.test(firstLine(text)))
    .map(({ text }) => text);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
