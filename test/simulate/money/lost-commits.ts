import type { WithdrawJournal } from "#src/domain/withdraw-journal.ts";
import type { Dice } from "../dice.ts";

/** The connection broke at a commit: whether it was made is not told. */
export class LostCommit extends Error {
  override readonly name = "LostCommit";
}

/** A journal whose commits are lost with that probability: half of them were made all the same. */
export const losingCommits = (
  journal: WithdrawJournal,
  dice: Dice,
  probability: number,
): WithdrawJournal => {
  const losing =
    <Given extends unknown[], Answer>(write: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      const isLost = probability > 0 && dice.chance(probability);
      if (isLost && dice.chance(0.5)) throw new LostCommit("not committed");
      const answer = await write(...given);
      if (isLost) throw new LostCommit("committed");
      return answer;
    };
  return { ...journal, move: losing(journal.move), amend: losing(journal.amend) };
};
