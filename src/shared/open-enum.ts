/** Values known from a document that may grow: an unknown one is kept as it came, and shown as it came. */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>);
