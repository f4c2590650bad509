/** A command that the menu of a message offers. */
export interface PageMenuCommand {
  readonly name: string;
  /** In the person's language. */
  readonly label: string;
}
