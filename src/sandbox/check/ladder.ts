import { MINUTE } from "../../shared/duration.ts";
import type { Demo } from "../start-demo.ts";
import type { Med } from "../wallet/med-book.ts";
import { ANA } from "../world.ts";
import type { Board, Step } from "./board.ts";
import { pass, settle } from "../pass-time.ts";
import { done, headline, press, privateMessage } from "./story.ts";

const NEXT_LOOK_MS = 6 * MINUTE;

/** Four MEDs with the same deadline, by what their seller does about them. */
export interface LadderMeds {
  readonly ignored: Med;
  readonly defended: Med;
  readonly conceded: Med;
  /** Its seller says that it is answered, and it is not. */
  readonly promised: Med;
}

/** Reminders as the deadline comes near: each once, over a restart, and none of what was answered. */
export const checkLadder = async (demo: Demo, board: Board, meds: LadderMeds): Promise<void> => {
  const { clock, discord, wallet } = demo.sandbox;
  const { ignored, defended, conceded, promised } = meds;
  const before = async (hours: number): Promise<void> => {
    clock.moveTo(ignored.dueAt.subtract({ hours }).add({ minutes: 1 }));
    await settle(demo);
  };
  const all = (...steps: readonly Step[]): void => {
    for (const med of Object.values(meds) as readonly Med[]) board.tells(med, ...steps);
  };

  await before(72);
  all("new", "72h");
  await demo.power.restart();
  await before(48);
  all("new", "72h", "48h");
  await demo.power.restart();
  await pass(demo, NEXT_LOOK_MS);
  all("new", "72h", "48h");
  done("Faltam 72 e 48 horas, o bot reinicia duas vezes: um lembrete de cada, nenhum repetido");

  wallet.answerMed(ANA.id, defended.infractionId, { status: "disagreed", text: "Entregue." });
  wallet.answerMed(ANA.id, conceded.infractionId, { status: "agreed", text: "Devolvo." });
  await pass(demo, NEXT_LOOK_MS);
  board.tells(defended, "new", "72h", "48h", "answered");
  board.tells(conceded, "new", "72h", "48h", "answered");
  done(`Ana responde dois no painel do serviço: ${headline(board.newest(defended))}`);

  const noted = await press(discord.person(ANA.id), board.newest(promised), "Já respondi");
  await before(24);
  board.tells(promised, "new", "72h", "48h");
  board.tells(ignored, "new", "72h", "48h", "24h");
  done(`Com "Já respondi no painel" o lembrete de 24 horas não vem: ${told(noted)}`);

  await before(6);
  board.tells(promised, "new", "72h", "48h", "6h");
  board.tells(ignored, "new", "72h", "48h", "24h", "6h");
  done("Seis horas antes o serviço ainda espera a resposta, e o bot volta a avisar");

  wallet.answerMed(ANA.id, promised.infractionId, { status: "disagreed", text: "Entregue." });
  await before(1);
  board.tells(promised, "new", "72h", "48h", "6h", "answered");
  board.tells(ignored, "new", "72h", "48h", "24h", "6h", "1h");
  board.tells(defended, "new", "72h", "48h", "answered");
  done(`Falta 1 hora, e só o que ninguém respondeu é lembrado: ${headline(board.newest(ignored))}`);
};

const told = (shown: Parameters<typeof privateMessage>[0]): string =>
  headline(privateMessage(shown));
