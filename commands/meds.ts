import { action, defineCommand, handler } from "#src/discord/command.ts";
import { disputeChoices } from "#src/views/disputes/dispute-list.ts";
import { command } from "./parts/definition.ts";
import { chosenFilter, chosenId, filterOf, medsOptions, pageOf, refOf } from "./parts/meds.ts";
import {
  calendarReply,
  detailReply,
  listReply,
  openReply,
  rateReply,
  reminderAction,
} from "./parts/meds-answers.ts";
import { defenceReply } from "./parts/meds-defence.ts";

const FIRST_PAGE = { filter: "all", page: 0 } as const;

export const meds = defineCommand({
  inDirectMessages: "as_owner",
  definition: command("meds", ({ meds }) => meds.self, medsOptions),
  handlers: handler({
    kind: "read",
    parse: (options) => ({
      id: (options.string("infracao") ?? "").trim(),
      filter: filterOf(options.string("estado")) ?? "all",
    }),
    run: async ({ id, filter }, invocation, services) =>
      id === ""
        ? await listReply({ filter, page: 0 }, invocation, services)
        : await detailReply(id, invocation, services),
  }),
  actions: {
    lista: action({
      kind: "read",
      answers: "update",
      parse: () => FIRST_PAGE,
      run: listReply,
    }),
    filtro: action({ kind: "read", answers: "update", parse: chosenFilter, run: listReply }),
    pagina: action({ kind: "read", answers: "update", parse: pageOf, run: listReply }),
    abrir: action({ kind: "read", answers: "update", parse: chosenId, run: detailReply }),
    taxa: action({ kind: "read", answers: "new", parse: () => undefined, run: rateReply }),
    ver: action({
      kind: "read",
      answers: "new",
      inDirectMessages: true,
      parse: refOf,
      run: openReply,
    }),
    agenda: action({
      kind: "read",
      answers: "new",
      inDirectMessages: true,
      parse: refOf,
      run: calendarReply,
    }),
    respondi: reminderAction("mute"),
    lembrar: reminderAction("resume"),
    adiar: reminderAction("snooze"),
    defesa: action({
      kind: "read",
      answers: "new",
      inDirectMessages: true,
      parse: refOf,
      run: defenceReply,
    }),
  },
  autocomplete: async ({ text }, invocation, { disputes }) =>
    disputeChoices(await disputes.suggest(invocation, text), invocation.locale),
});
