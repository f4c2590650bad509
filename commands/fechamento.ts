import { action, type ButtonSet, type Invocation } from "#src/discord/command.ts";
import { type ClosePeriod, periodOfText } from "#src/closes/close.ts";
import { ownCloseView } from "#src/closes/close.view.ts";
import { UserError } from "#src/shared/errors.ts";
import { accountingFilesReply } from "./accounting-files.ts";
import { namingKeys } from "./component-input.ts";

/** @throws UserError invalid_date when the id names no close. */
const periodOf = (argument: string): ClosePeriod => {
  const period = periodOfText(argument);
  if (period === undefined) throw new UserError({ kind: "invalid_date", given: argument });
  return period;
};

const closeAction = (run: Parameters<typeof namingKeys<ClosePeriod>>[0]) =>
  action({
    kind: "read",
    answers: "new",
    inDirectMessages: "as_owner",
    parse: ({ argument }) => periodOf(argument),
    run: namingKeys(run),
  });

/** Buttons under a weekly or monthly close. They answer with the presser's own figures. */
export const fechamento: ButtonSet = {
  name: "fechamento",
  actions: {
    meu: closeAction(async (period, { guildId, userId, locale }: Invocation, { closes }) =>
      ownCloseView(await closes.own(guildId, userId, period), locale),
    ),
    planilha: closeAction((period, invocation, services) =>
      accountingFilesReply(
        { ...period, kind: period.kind === "week" ? "days" : "month" },
        invocation,
        services,
      ),
    ),
  },
};
