/** The shell commands of a Markdown page, block by block; those of a named terminal are not among them. */
export function shellBlocks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '');
}
