import { noticeKey } from "./withdraw-op.ts";
import type { ReplacedBody } from "../delivery/replaced-posts.job.ts";
import { replacedNotice } from "./replaced-notice.view.ts";
import type { WithdrawJournal } from "./withdraw-journal.ts";

/**
 * The body of a message that a newer one of the same operation replaces; undefined where it may hold the answer to the
 * owner's decision, which is told in the message that was clicked.
 */
export const createReplacedNotice =
  (journal: Pick<WithdrawJournal, "find">): ReplacedBody =>
  async ({ opId, payload, replacedBy }) => {
    const op = opId === null ? undefined : await journal.find(opId);
    if (op === undefined) return undefined;
    if (op.state === "resolved_manual" && replacedBy !== noticeKey(op)) return undefined;
    return replacedNotice(payload, op);
  };
