import { MINUTE } from "../../shared/duration.ts";
import type { Demo } from "../start-demo.ts";
import { ANA } from "../world.ts";
import type { Board } from "./board.ts";
import type { LadderMeds } from "./ladder.ts";
import { pass, settle } from "../pass-time.ts";
import { done, headline } from "./story.ts";

const NEXT_LOOK_MS = 6 * MINUTE;

/** What the bank decides, and the deadline that passed. */
export const checkDecisions = async (
  demo: Demo,
  board: Board,
  { ignored, defended, conceded }: LadderMeds,
): Promise<void> => {
  const { clock, wallet } = demo.sandbox;
  clock.moveTo(ignored.dueAt.add({ minutes: 1 }));
  await settle(demo);
  board.tells(ignored, "new", "72h", "48h", "24h", "6h", "1h", "overdue");
  done(`Ninguém respondeu, e isso é dito: ${headline(board.newest(ignored))}`);

  wallet.decideMed(ANA.id, defended.infractionId, "rejected");
  wallet.decideMed(ANA.id, conceded.infractionId, "accepted");
  await pass(demo, NEXT_LOOK_MS);
  board.tells(defended, "new", "72h", "48h", "answered", "won");
  board.tells(conceded, "new", "72h", "48h", "answered", "lost");
  const [won, lost] = [defended, conceded].map((med) => headline(board.newest(med)));
  done(`O banco decide dois, com os valores: ${won} / ${lost}`);

  await pass(demo, NEXT_LOOK_MS);
  board.tells(ignored, "new", "72h", "48h", "24h", "6h", "1h", "overdue");
  board.tells(defended, "new", "72h", "48h", "answered", "won");
};
