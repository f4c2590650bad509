import { MINUTE } from "../../shared/duration.ts";
import type { Demo } from "../start-demo.ts";
import { ANA, BRUNO, CARLA, CHANNELS, ROLES } from "../world.ts";
import { openBoard, type Board } from "./board.ts";
import { checkDecisions } from "./decisions.ts";
import { checkDefence } from "./defence.ts";
import { checkLadder } from "./ladder.ts";
import { pass } from "../pass-time.ts";
import { done, headline, mustHold, press, privateMessage, textOf, told } from "./story.ts";

const ACCEPT_IN_CHANNEL = "channel";
/** Longer than from one question about disputes to the next. */
const NEXT_LOOK_MS = 6 * MINUTE;
const HOURS_TO_ANSWER = 80;

/** MEDs from their opening to their end, as the channel of alerts tells it. */
export const checkAlerts = async (demo: Demo): Promise<void> => {
  const board = openBoard(demo);
  await chooseChannel(demo);
  await agree(demo);
  const meds = {
    ignored: board.open(89_90, HOURS_TO_ANSWER),
    defended: board.open(149_00, HOURS_TO_ANSWER),
    conceded: board.open(35_50, HOURS_TO_ANSWER),
    promised: board.open(62_40, HOURS_TO_ANSWER),
  };
  await pass(demo, NEXT_LOOK_MS);
  await pass(demo, NEXT_LOOK_MS);
  for (const med of Object.values(meds)) board.tells(med, "new");
  const alert = board.newest(meds.ignored);
  done(`Pagadores abrem 4 MEDs, e cada um é anunciado uma vez, com o cargo: ${headline(alert)}`);
  await readsPrivately(demo, board, meds.ignored);
  await checkDefence(demo, board, meds.ignored);
  await checkLadder(demo, board, meds);
  await checkDecisions(demo, board, meds);
};

const chooseChannel = async ({ sandbox: { discord } }: Demo): Promise<void> => {
  const saved = await discord.person(CARLA.id).command({
    channelId: CHANNELS.geral.id,
    name: "config",
    subcommand: "alertas",
    options: { canal: CHANNELS.avisos.id, cargo: ROLES.equipe.id },
  });
  const { avisos } = CHANNELS;
  done(`Carla escolhe #${avisos.name} e @${ROLES.equipe.name}: ${headline(privateMessage(saved))}`);
};

/** Until she does, her alerts are for her alone. */
const agree = async (demo: Demo): Promise<void> => {
  const { discord } = demo.sandbox;
  const ana = discord.person(ANA.id);
  await pass(demo, NEXT_LOOK_MS);
  mustHold(discord.messages(CHANNELS.avisos.id).length === 0, "o canal tem alertas sem o aceite");
  mustHold(
    discord.directMessages(ANA.id).some((message) => headline(message).includes("MED")),
    "os MEDs de Ana não chegaram por mensagem direta",
  );
  const seen = privateMessage(
    await ana.command({ channelId: CHANNELS.geral.id, name: "conta", subcommand: "ver" }),
  );
  const chosen = await ana.select(seen.id, `conta:alertas:${ANA.id}`, [ACCEPT_IN_CHANNEL]);
  const agreed = privateMessage(chosen);
  mustHold(textOf(agreed).includes(CHANNELS.avisos.id), "/conta ver não diz o canal dos alertas");
  done(`Até aqui só ela lê os alertas; em /conta ver, Ana aceita o canal: ${headline(agreed)}`);
};

const readsPrivately = async (
  { sandbox: { discord } }: Demo,
  board: Board,
  med: Parameters<Board["newest"]>[0],
): Promise<void> => {
  const alert = board.newest(med);
  const refused = await press(discord.person(BRUNO.id), alert, "Ver detalhes");
  mustHold(!told(refused).startsWith("MED"), "Bruno leu os detalhes do MED de Ana");
  const detail = privateMessage(await press(discord.person(ANA.id), alert, "Ver detalhes"));
  mustHold(textOf(detail).includes(med.description), "os detalhes não têm o relato do pagador");
  done(`Só Ana vê os detalhes; Bruno lê: ${told(refused)}`);
};
