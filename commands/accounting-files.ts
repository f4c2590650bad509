import type { Invocation } from "#src/discord/command.ts";
import type { SalesPeriod } from "#src/reports/sales-period.ts";
import type { Services } from "#src/services.ts";
import type { Reply } from "#src/ui/reply.ts";
import { accountingBook } from "#src/accounting-files/accounting-book.view.ts";
import { accountingPage } from "#src/accounting-files/accounting-page.view.ts";
import { accountingReply } from "#src/accounting-files/accounting-reply.view.ts";

/**
 * The presser's own sales and withdrawals of a period as files. The account is the presser's: the message with the
 * button may be another person's.
 */
export const accountingFilesReply = async (
  period: SalesPeriod,
  { guildId, userId, locale }: Invocation,
  { accountingFiles, print }: Pick<Services, "accountingFiles" | "print">,
): Promise<Reply> => {
  const facts = await accountingFiles.facts(guildId, userId, period);
  const book = accountingBook(facts, locale);
  const [workbook, page] = await Promise.all([
    print.workbook(book),
    print.page(accountingPage(facts, locale)),
  ]);
  return accountingReply(facts, book, { workbook, page }, locale);
};
