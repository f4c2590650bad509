import { action, defineCommand, handler, type Invocation } from "#src/discord/command.ts";
import type { Goal } from "#src/goals/goal.ts";
import { GOAL_FIELD, goalForm, goalRemovedView, goalView } from "#src/goals/goal.view.ts";
import type { Services } from "#src/services.ts";
import { UserError } from "#src/shared/errors.ts";
import { type Cents, LONGEST_AMOUNT, typedCents } from "#src/shared/money.ts";
import { named } from "#src/texts.ts";
import type { Reply } from "#src/ui/reply.ts";
import { command, option } from "./definition.ts";

const PRIVATE = "so-eu";
const IN_REPORT = "servidor";

/** @throws UserError goal_unreadable, goal_too_small, amount_too_fine, amount_too_large */
const goalAmount = (given: string): Cents => {
  const amount = typedCents(given, "goal_unreadable");
  if (amount < 1) throw new UserError({ kind: "goal_too_small", given });
  return amount;
};

/** Without a change the present goal is shown. */
const goalReply = async (
  change: Partial<Goal>,
  { guildId, userId, locale }: Invocation,
  { goals }: Services,
): Promise<Reply> => {
  const isChange = Object.keys(change).length > 0;
  const reading = isChange
    ? await goals.save(guildId, userId, change)
    : await goals.read(guildId, userId);
  return goalView(reading, locale);
};

const changing = (shown: boolean) =>
  action({ kind: "write", answers: "update", parse: () => ({ shown }), run: goalReply });

export const meta = defineCommand({
  inDirectMessages: "in_server",
  definition: command("meta", ({ meta }) => meta.self, [
    { ...option("string", "valor", ({ meta }) => meta.valor), max_length: LONGEST_AMOUNT },
    {
      ...option("string", "mostrar", ({ meta }) => meta.mostrar),
      choices: [
        { ...named(({ commands }) => commands.meta.privada), value: PRIVATE },
        { ...named(({ commands }) => commands.meta.servidor), value: IN_REPORT },
      ],
    },
  ]),
  handlers: handler({
    kind: "write",
    parse: (options): Partial<Goal> => {
      const given = options.string("valor");
      const show = options.string("mostrar");
      return {
        ...(given !== undefined && { amount: goalAmount(given) }),
        ...(show !== undefined && { shown: show === IN_REPORT }),
      };
    },
    run: goalReply,
  }),
  actions: {
    atualizar: action({ kind: "read", answers: "update", parse: () => ({}), run: goalReply }),
    mostrar: changing(true),
    esconder: changing(false),
    tirar: action({
      kind: "write",
      answers: "update",
      parse: () => undefined,
      run: async (_, { guildId, userId, locale }, { goals }) => {
        const remaining = await goals.remove(guildId, userId);
        return goalRemovedView(remaining, locale);
      },
    }),
    definir: action({
      kind: "modal",
      answers: "new",
      parse: () => undefined,
      run: (_, { locale }) => goalForm(locale),
    }),
    salvar: action({
      kind: "write",
      answers: "update",
      parse: ({ fields }) => ({ amount: goalAmount(fields.get(GOAL_FIELD) ?? "") }),
      run: goalReply,
    }),
  },
});
