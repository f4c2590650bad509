import { describe, expect, test } from "vitest";
import type { GhostFacts, GuardFacts } from "#src/domain/notice-facts.ts";
import { guardNotice } from "#src/views/money/guards-notice.ts";
import { ghostNotice } from "#src/views/money/withdrawal-ghost.ts";
import { NOW } from "../../support/samples.ts";
import { brokenLimits } from "../message-limits.ts";
import { buttonsOf, readMessage } from "../read-message.ts";
import { GUARD_CHANGES, MASKED, sampleWithdrawal, TXID } from "./withdraw-samples.ts";

const WHEN = "<t:1795197600:F> (<t:1795197600:R>)";
const OWNER = "1180000000000000011";
const watch = {
  ownerId: OWNER,
  guildId: "1180000000000000001",
  locale: "pt-BR",
  reference: "ref a1b2c3d4",
  noticedAt: NOW,
} as const;
const ghost = (given: Partial<GhostFacts> = {}) =>
  ghostNotice({ ...watch, txid: TXID, withdrawal: sampleWithdrawal(), ...given });
const guard = (given: Partial<GuardFacts> = {}) =>
  guardNotice({ ...watch, change: "cap_raise_asked", from: NOW, ...given });

describe("a withdrawal that nobody asked for here", () => {
  test("is told loudly, with what is known and what to do", () => {
    const lines = readMessage(ghost());
    expect(lines[0]).toBe("Há um saque que não foi pedido por aqui");
    expect(lines[1]).toMatch(/revogue a chave da API e troque a senha[\s\S]*`\/travar`/);
    expect(lines[1]).toContain("(https://discord.com/channels/1180000000000000001)");
    expect(lines.slice(2)).toEqual([
      "Valor: **R$ 1.234,00**",
      `Chave PIX: \`${MASKED}\` (CPF)`,
      "Situação: Concluído",
      "Modalidade: normal, em até 24 horas",
      `Pedido em: ${WHEN}`,
      `Txid: \`${TXID}\``,
      `Notado em: ${WHEN}`,
      "Balcão · ref a1b2c3d4",
    ]);
    expect(JSON.stringify(ghost())).not.toContain("12345678909");
  });

  test("that is still scheduled can be cancelled, and says where", () => {
    const scheduled = sampleWithdrawal({ status: "scheduled" });
    expect(readMessage(ghost({ withdrawal: scheduled }))[1]).toContain("Abra em `/saques`");
    expect(readMessage(ghost())[1]).not.toContain("Abra em");
  });

  test("of which nothing could be read is told all the same", () => {
    const lines = readMessage(ghost({ withdrawal: undefined }));
    expect(lines).toContain("Valor: não consegui ler");
    expect(lines).toContain(`Txid: \`${TXID}\``);
  });

  test("has one button, which locks and is its owner's", () => {
    expect(buttonsOf(ghost())).toEqual({ "Travar saques": `travar:agora:${OWNER}` });
  });
});

describe("a change of the guards", () => {
  test("tells when it holds, what to do if it was somebody else, and how to lock", () => {
    const lines = readMessage(guard());
    expect(lines[0]).toBe("Pediram um limite diário maior");
    expect(lines[1]).toContain("**Se não foi você**");
    expect(lines).toContain(`Vale a partir de: ${WHEN}`);
    expect(buttonsOf(guard())).toEqual({ "Travar saques": `travar:agora:${OWNER}` });
  });

  test("that locked needs no button", () => {
    expect(buttonsOf(guard({ change: "locked", from: undefined }))).toEqual({});
  });

  test("made in a direct message leads to no server", () => {
    expect(readMessage(guard({ guildId: "" })).join("\n")).not.toContain("https://");
  });
});

test.each(["pt-BR", "en-US"] as const)(
  "every such message in %s fits and carries its mark",
  (locale) => {
    const all = [
      ghost({ locale, txid: "t".repeat(500) }),
      ghost({ locale, withdrawal: undefined }),
      ...GUARD_CHANGES.map((change) => guard({ locale, change })),
    ];
    expect(all.flatMap(brokenLimits)).toEqual([]);
    expect(new Set(all.map((message) => readMessage(message).at(-1)))).toEqual(
      new Set(["Balcão · ref a1b2c3d4"]),
    );
  },
);
