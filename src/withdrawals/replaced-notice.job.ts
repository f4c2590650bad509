import type { ReplacedBody } from "../delivery/replaced-posts.job.ts";
import { replacedNotice } from "./replaced-notice.view.ts";
import type { WithdrawJournal } from "./withdraw-journal.ts";

/** The body of a message that a newer one of the same operation replaces. */
export const createReplacedNotice =
  (journal: Pick<WithdrawJournal, "find">): ReplacedBody =>
  async ({ opId, payload }) => {
    const op = opId === null ? undefined : await journal.find(opId);
    return op && replacedNotice(payload, op);
  };
