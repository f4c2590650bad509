import type { Locale } from "#src/shared/locale.ts";
import { describe, expect, it } from "vitest";
import type { HoldQuestion } from "#src/withdrawals/restore/restore-hold.ts";
import type { ListedWithdrawal } from "#src/withdrawals/withdrawal.ts";
import { UserError } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import { parseCustomId } from "#src/discord/command.ts";
import { errorReply } from "#src/help/error.view.ts";
import {
  restoreAcknowledgedView,
  restoredNotice,
} from "#src/withdrawals/restore/restore-question.view.ts";
import { NOW } from "../../support/samples.ts";
import { brokenLimits } from "../../ui/message-limits.ts";
import { buttonsOf, readMessage } from "../../ui/read-message.ts";

const ANSWER_ID = "0123456789";

const listed = (index: number): ListedWithdrawal => ({
  txid: `TX${String(index).padStart(4, "0")}`,
  requestedAt: index % 2 === 0 ? NOW : undefined,
  amount: cents(5_000),
  status: "processing",
});

const question = (changes: Partial<HoldQuestion> = {}): HoldQuestion => ({
  cause: "restored",
  why: "newer",
  withdrawals: [listed(1)],
  answerId: ANSWER_ID,
  ...changes,
});

const notice = (changes: Partial<HoldQuestion> = {}, locale: Locale = "pt-BR") =>
  restoredNotice({
    ownerId: "1180000000000000201",
    guildId: "1180000000000000001",
    locale,
    reference: "ref 0a1b2c3d",
    noticedAt: NOW,
    question: question(changes),
  });

describe("S3: what an owner is asked after a restore", () => {
  it.each([
    ["newer", "Confira estes saques antes de pedir outro", "Conferi estes saques"],
    ["short", "Confira no painel antes de sacar", "Conferi no painel"],
    ["unreadable", "Ainda não consegui conferir os seus saques", "Conferi no painel"],
  ] as const)("as an answer to /saque, when the list is %s", (why, title, label) => {
    const withdrawals = why === "newer" ? [listed(1)] : [];
    const reason = { kind: "restored_database", why, withdrawals, answerId: ANSWER_ID } as const;
    const shown = errorReply(new UserError(reason), "pt-BR", "ABCD2345");
    const text = readMessage(shown);
    expect(text[0]).toBe(title);
    expect(text[1]).toMatch(/não envio nada/);
    expect(text.join("\n").includes("TX0001")).toBe(why === "newer");
    expect(parseCustomId(buttonsOf(shown)[label] ?? "")).toEqual({
      command: "saques",
      action: "conferi",
      argument: ANSWER_ID,
    });
  });

  it("by direct message once, with what else may be as it was", () => {
    const text = readMessage(notice()).join("\n");
    expect(text).toContain("Os saques desta conta esperam você");
    expect(text).toContain("TX0001");
    expect(text).toContain("`/seguranca`");
    expect(readMessage(notice({ cause: "gap" })).join("\n")).not.toContain("`/seguranca`");
  });

  it.each([
    [25, 12_345_678, 8],
    [36, 123_456, 7],
    [64, 123_456, 6],
  ])(
    "with whole rows, and how many more, where a txid has %i characters",
    (length, amount, rows) => {
      const withdrawals = Array.from({ length: 12 }, (_, index) => ({
        ...listed(0),
        txid: String(index).padStart(length, "a"),
        amount: cents(amount),
      }));
      const text = readMessage(notice({ withdrawals })).join("\n");
      expect(text.match(/aaa\d/g)).toHaveLength(rows);
      expect(text).toContain(`E mais ${12 - rows}, no painel do serviço.`);
      expect(text).not.toContain("…");
    },
  );

  it.each(["pt-BR", "en-US"] as const)("in a message that Discord takes, in %s", (locale) => {
    const many = Array.from({ length: 60 }, (_, index) => listed(index));
    const message = notice({ withdrawals: many }, locale);
    expect(brokenLimits(message)).toEqual([]);
    expect(readMessage(message).join("\n")).toMatch(/52/);
    expect(brokenLimits(restoreAcknowledgedView(locale))).toEqual([]);
  });
});
