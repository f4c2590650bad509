import type { ActionResult, StoredMessage } from "#src/sandbox/discord/state.ts";
import type { NewMed } from "#src/sandbox/wallet/wallet-controls.ts";
import { ANA, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { stepTitle } from "../../support/alert-title.ts";
import { createMoneyDriver, partWith, type MoneyDriver } from "./money.ts";
import { isAlert, messageOf, type Stage, textOf, type } from "./stage.ts";

/** Ana's disputes and their alerts, and Carla's route for them. */
export const createWatch = (stage: Stage) => {
  const { sandbox } = stage;
  const moneyDriver: MoneyDriver = createMoneyDriver(stage);
  const carla = sandbox.discord.person(CARLA.id);

  const alerts = (
    messages: readonly StoredMessage[] = sandbox.discord.directMessages(ANA.id),
  ): readonly StoredMessage[] => messages.filter(isAlert);
  const of = (id: string, messages = alerts()): readonly StoredMessage[] =>
    messages.filter((message) => textOf(message).includes(id));

  return {
    moneyDriver,
    /** A payer contests a payment of Ana's; gives the infraction id. */
    open: (hoursToAnswer: number, given: Partial<NewMed> = {}): string =>
      sandbox.wallet.openMed(ANA.id, {
        amountCents: 12_345,
        situationType: "FRAUDE",
        hoursToAnswer,
        original: undefined,
        ...given,
      }),
    later: stage.later,
    alerts,
    /** Titles of the alerts about one dispute, in order. */
    told: (id: string, messages = alerts()): readonly string[] =>
      of(id, messages).map(({ embeds }) => stepTitle(embeds[0]?.title ?? "")),
    inChannel: (channelId: string = CHANNELS.avisos.id) =>
      alerts(sandbox.discord.messages(channelId)),
    /** The newest alert about one dispute. @throws when there is none. */
    latest: (id: string, messages = alerts()): StoredMessage => {
      const found = of(id, messages).at(-1);
      if (found === undefined) throw new Error("Nothing was told");
      return found;
    },
    /** Carla at `/config alertas`. */
    setRoute: (options: Readonly<Record<string, string | boolean>> = {}): Promise<ActionResult> =>
      type(carla, "config alertas", options),
    setQuiet: async (route: ActionResult, hours: string): Promise<string> => {
      const message = messageOf(route);
      const menu = partWith(message, "config:silencio");
      return textOf(await carla.select(message.id, menu, [hours]));
    },
    /** Ana chooses where her alerts go. */
    choose: async (choice: "channel" | "direct" | "off"): Promise<string> => {
      const shown = messageOf(await moneyDriver.command("conta ver"));
      const menu = partWith(shown, "conta:alertas:");
      return textOf(await moneyDriver.person.select(shown.id, menu, [choice]));
    },
  };
};

export type Watch = ReturnType<typeof createWatch>;
