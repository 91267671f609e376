/** A file that is derived from declarations and committed; a test fails when the two differ. */
export interface GeneratedFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}
