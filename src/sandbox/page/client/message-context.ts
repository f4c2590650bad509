import type { PageView } from "../page-view.ts";
import type { Attempt, PageStore } from "./page-store.ts";

/** What the parts of a message need to draw themselves and to act. */
export interface MessageContext {
  readonly view: PageView;
  readonly now: () => number;
  /** Whether the message stands in a channel of the guild. */
  readonly inGuild: boolean;
  /** What the person tried with a component of this message, while it is open or after it failed. */
  readonly attempt: Attempt | undefined;
  readonly perform: PageStore["perform"];
}
