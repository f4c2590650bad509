import {
  type Action,
  action,
  type ActionInput,
  defineCommand,
  handler,
  type Invocation,
} from "#src/discord/command.ts";
import { DIRECT_MESSAGE } from "#src/discord/interaction.ts";
import { type DisputeFilter, disputeFilters, type DisputeRef } from "#src/disputes/dispute-list.ts";
import { isWireId } from "#src/shared/ids.ts";
import { named } from "#src/texts.ts";
import type { Services } from "#src/services.ts";
import { disputeCalendarReply } from "#src/disputes/dispute-calendar.view.ts";
import { disputeDetailView } from "#src/disputes/dispute-detail.view.ts";
import {
  disputeChoices,
  disputeListView,
  disputeRateView,
} from "#src/disputes/dispute-list.view.ts";
import { reminderView } from "#src/disputes/dispute-alert.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import { makeDossier } from "#src/defence/dossier.view.ts";
import { dossierReply } from "#src/defence/dossier-reply.view.ts";
import { chosenId, chosenOf, outdated, typedBy } from "./component-input.ts";
import { command, LONGEST_TYPED_ID, option, suggested } from "./definition.ts";

const REF = /^([A-Za-z0-9_-]{1,64})\.(.*)$/;
const PAGE = /^([a-z]+)\.(\d{1,4})$/;

/** A page of the filtered list; the first page is 0. */
interface WantedPage {
  readonly filter: DisputeFilter;
  readonly page: number;
}

const filterOf = (value: string | undefined): DisputeFilter | undefined =>
  disputeFilters.find((each) => each === value);

/** @throws UserError outdated_component */
const chosenFilter = (input: ActionInput): WantedPage => ({
  filter: chosenOf(disputeFilters)(input),
  page: 0,
});

/** @throws UserError outdated_component */
const pageOf = ({ argument }: ActionInput): WantedPage => {
  const [, filter, page] = PAGE.exec(argument) ?? [];
  return { filter: filterOf(filter) ?? outdated(), page: Number(page) };
};

/** @throws UserError outdated_component */
const refOf = ({ argument }: ActionInput): DisputeRef => {
  const [, watchId, infractionId = ""] = REF.exec(argument) ?? [];
  return watchId !== undefined && isWireId(infractionId) ? { watchId, infractionId } : outdated();
};

const listReply = async (
  { filter, page }: WantedPage,
  invocation: Invocation,
  { disputes, medAnswerUrl: answerUrl }: Services,
): Promise<Reply> => {
  const overview = await disputes.overview(invocation, filter, page);
  return disputeListView({ ...overview, answerUrl, locale: invocation.locale });
};

/** @throws UserError dispute_not_found, not_connected */
const detailReply = async (
  infractionId: string,
  invocation: Invocation,
  { disputes, medAnswerUrl: answerUrl }: Services,
): Promise<Reply> => {
  const detail = await disputes.detail(invocation, infractionId);
  return disputeDetailView({ ...detail, answerUrl, hasGuild: true, locale: invocation.locale });
};

/** @throws UserError dispute_not_found, not_your_dispute */
const openReply = async (
  ref: DisputeRef,
  invocation: Invocation,
  { disputes, medAnswerUrl: answerUrl }: Services,
): Promise<Reply> => {
  const { guildId, locale } = invocation;
  const detail = await disputes.open(invocation, ref);
  return disputeDetailView({ ...detail, answerUrl, hasGuild: guildId !== DIRECT_MESSAGE, locale });
};

/** @throws UserError dispute_not_found, not_your_dispute */
const calendarReply = async (
  ref: DisputeRef,
  invocation: Invocation,
  { disputes }: Services,
): Promise<Reply> =>
  await disputeCalendarReply(await disputes.open(invocation, ref), invocation.locale);

const rateReply = async (
  _: undefined,
  invocation: Invocation,
  { disputes }: Services,
): Promise<Reply> => disputeRateView(await disputes.rate(invocation), invocation.locale);

// Buttons under alerts, in channels and in direct messages. Only the owner of the account may use them.

/** Answers about the alert's MED. */
const readAction = (
  run: (ref: DisputeRef, invocation: Invocation, services: Services) => Promise<Reply>,
): Action => action({ kind: "read", answers: "new", inDirectMessages: true, parse: refOf, run });

/** Changes the reminders of the alert's MED. */
const reminderAction = (wish: "mute" | "resume" | "snooze"): Action =>
  action({
    kind: "write",
    answers: "new",
    inDirectMessages: true,
    parse: refOf,
    run: async (ref, invocation, { disputes, clock }) =>
      reminderView(await disputes[wish](invocation, ref), clock.now(), invocation.locale),
  });

/** Files of a dispute's defence, and a text to paste. @throws UserError dispute_not_found, not_your_dispute */
const defenceReply = async (
  ref: DisputeRef,
  invocation: Invocation,
  { defence, print }: Services,
): Promise<Reply> => {
  const { locale } = invocation;
  const facts = await defence.gather(invocation, ref);
  const dossier = makeDossier(facts, locale);
  return dossierReply(facts, dossier, await print.dossier(dossier), locale);
};

const FIRST_PAGE = { filter: "all", page: 0 } as const;

export const meds = defineCommand({
  inDirectMessages: "as_owner",
  definition: command("meds", ({ meds }) => meds.self, [
    suggested("infracao", ({ meds }) => meds.infracao, LONGEST_TYPED_ID),
    {
      ...option("string", "estado", ({ meds }) => meds.estado),
      choices: disputeFilters.map((value) => ({
        ...named(({ disputes }) => disputes.filters[value]),
        value,
      })),
    },
  ]),
  handlers: handler({
    kind: "read",
    parse: (options) => ({
      id: (options.string("infracao") ?? "").trim(),
      filter: filterOf(options.string("estado")) ?? "answer",
    }),
    run: async ({ id, filter }, invocation, services) =>
      id === ""
        ? await listReply({ filter, page: 0 }, invocation, services)
        : await detailReply(id, invocation, services),
  }),
  actions: {
    lista: action({ kind: "read", answers: "update", parse: () => FIRST_PAGE, run: listReply }),
    esperam: action({
      kind: "read",
      answers: "new",
      parse: () => ({ filter: "answer", page: 0 }) as const,
      run: listReply,
    }),
    filtro: action({ kind: "read", answers: "update", parse: chosenFilter, run: listReply }),
    pagina: action({ kind: "read", answers: "update", parse: pageOf, run: listReply }),
    abrir: action({ kind: "read", answers: "update", parse: chosenId, run: detailReply }),
    taxa: action({ kind: "read", answers: "new", parse: () => undefined, run: rateReply }),
    ver: readAction(openReply),
    agenda: readAction(calendarReply),
    respondi: reminderAction("mute"),
    lembrar: reminderAction("resume"),
    adiar: reminderAction("snooze"),
    defesa: readAction(defenceReply),
  },
  autocomplete: async ({ text }, invocation, services) =>
    disputeChoices(
      await services.disputes.suggest(await typedBy(invocation, services), text),
      invocation.locale,
    ),
});
