import { describe, expect, test } from "vitest";
import {
  type ChargeFacts,
  chargeNotice,
  chargePost,
  chargeView,
  codeView,
  newChargeView,
  unpostedNotice,
} from "#src/charges/charge.view.ts";
import { chargeTexts } from "#src/charges/texts.ts";
import { cardFiles } from "#src/charges/charge-cards.job.ts";
import { drawQrCode } from "#src/charges/qr-code.ts";
import { cents } from "#src/shared/money.ts";
import type { Charge } from "#src/charges/charge.ts";
import { PNG } from "pngjs";
import { decodeQR } from "qr/decode.js";
import fc from "fast-check";
import { fullAndRelative, fullTime } from "#src/ui/format.ts";
import { ANA, ANA_KEY, CHANNEL, connect, GUILD, openGuild } from "../support/guild.ts";
import { NOW } from "../support/samples.ts";
import { CODE, sampleCharge } from "./charge-samples.ts";

const QR = new Uint8Array([1]);
const shown = (charge: Partial<Charge>): string =>
  JSON.stringify(chargeView({ charge: sampleCharge(charge), qr: QR }, "pt-BR"));

describe("what arrives", () => {
  test.each([
    ["is 6% less while the service tells no fee", {}, "**R$\u00a075,11**\\ntaxa esperada de 6%"],
    [
      "is as the service says",
      { fee: cents(479), net: cents(7_511) },
      "**R$\u00a075,11**\\ntaxa R$\u00a04,79",
    ],
    [
      "is as the service says, beside the 6% that it differs from",
      { fee: cents(400), net: cents(7_590) },
      "**R$\u00a075,90**\\ntaxa R$\u00a04,00, como o serviço disse; 6% seriam R$\u00a04,79",
    ],
    [
      "follows from the net alone",
      { net: cents(7_000) },
      "taxa R$\u00a09,90, como o serviço disse",
    ],
    [
      "of another amount is compared with 6% of that amount",
      {
        state: "unfollowed",
        received: cents(5_000),
        fee: cents(300),
        net: cents(4_700),
      },
      '**R$\u00a047,00**\\ntaxa R$\u00a03,00"',
    ],
  ] satisfies readonly (readonly [string, Partial<Charge>, string])[])("%s", (_, charge, words) => {
    expect(shown(charge)).toContain(words);
  });

  test.each(["refunded", "expired", "missing", "unfollowed"] as const)(
    "is not told of a charge that is %s",
    (state) => {
      const told = { fee: cents(479), net: cents(7_511) };
      expect(shown({ state, ...told })).not.toContain("Você recebe");
    },
  );
});

describe("a refused charge", () => {
  const refused = (facts: Partial<ChargeFacts>): string => {
    const charge = sampleCharge({ state: "rejected", txid: undefined, code: undefined });
    return JSON.stringify(chargeView({ charge, qr: undefined, ...facts }, "pt-BR"));
  };

  test("is to be corrected as the service said", () => {
    const shown = refused({ said: "amount below 1.00" });
    expect(shown).toMatch(/Corrija o que ele diz[^]*amount below 1\.00/);
  });

  test.each([undefined, "Too many requests"])("waits as long as the service asks (%s)", (said) => {
    const shown = refused({ said, retryAfterMs: 40_000 });
    expect(shown).toContain("Nada foi criado. Tente de novo em 40 segundos.");
    expect(shown).not.toContain("Corrija");
    expect(shown.includes("O que o serviço disse")).toBe(said !== undefined);
  });

  test.each([undefined, "", "\u200b"])(
    "does not point at words that are not there (%j)",
    (said) => {
      const shown = refused({ said });
      expect(shown).toContain("Nada foi criado, e o serviço não disse o motivo.");
      expect(shown).not.toMatch(/Corrija|O que o serviço disse/);
    },
  );
});

test.each([
  { state: "rejected", reason: "invalid", httpStatus: 400, message: "Valor recusado" },
  { state: "rejected", reason: "unauthorized", httpStatus: 401 },
  { state: "unknown", errorCode: "HTTP_500", httpStatus: 500 },
] as const)(
  "an answer that is $state ($httpStatus) has the code for the service's support",
  async (given) => {
    const { services, person, wallet } = await openGuild();
    await connect(person(ANA), ANA_KEY);
    const untold = { message: undefined, retryAfterMs: undefined, shortfall: undefined };
    wallet.createCharge = async () => ({ ...untold, ...given, requestId: "req-77" });
    const place = { guildId: GUILD, channelId: CHANNEL, userId: ANA, interactionId: "i1" };
    const charger = { ...place, locale: "pt-BR", guildLocale: "pt-BR" } as const;
    const { amount, description } = sampleCharge();
    const facts = await services.charges.create(charger, { amount, description });
    const [embed] = chargeView(facts, "pt-BR").embeds ?? [];
    expect(embed?.fields?.at(-1)).toEqual({ name: "Código de suporte", value: "`req-77`" });
  },
);

test("the code follows the answer alone, and never without a picture to pay", () => {
  const facts = { charge: sampleCharge(), qr: QR };
  expect(newChargeView(facts, "pt-BR").further).toEqual({ kind: "reply", content: CODE });
  const lost = { ...facts, charge: sampleCharge({ state: "unknown", code: undefined }) };
  expect(newChargeView(lost, "pt-BR").further).toBeUndefined();
  expect(newChargeView(lost, "pt-BR").files).toBeUndefined();
});

test.each([
  ["no_code", "não mandou o código PIX"],
  ["broken_code", "não confere"],
] as const)("a charge with %s shows none as payable", (problem, sentence) => {
  const charge = sampleCharge({ code: undefined, problem });
  const facts = { charge, qr: undefined, mayPublish: true };
  expect(JSON.stringify(chargeView(facts, "pt-BR"))).toContain(sentence);
  expect(newChargeView(facts, "pt-BR").further).toBeUndefined();
  expect(JSON.stringify(chargeView(facts, "pt-BR"))).not.toContain("cobrar:publicar:");
});

test.each([
  ["pt-BR", "QR do PIX de R$\u00a079,90. Em texto: “Copiar código”."],
  ["en-US", "PIX QR of R$\u00a079.90. As text: “Copy code”."],
] as const)("the picture is told to who does not see it, in %s", async (locale, description) => {
  const [own] = chargeView({ charge: sampleCharge(), qr: QR }, locale).files ?? [];
  const [posted] = await cardFiles(chargePost(sampleCharge({ cardLocale: locale }), "r"));
  expect([own?.description, posted?.description]).toEqual([description, description]);
});

test("a code with signs of markup stands in a block, which shows them as they are", () => {
  for (const name of ["[Fu](a)", "PAG*JOSE***", "_Fulano_"])
    expect(codeView(CODE.replace("Fulano", name)).content).toMatch(/^```\n/);
  expect(CODE).toContain("62070503***");
  expect(codeView(CODE).content).toBe(CODE);
});

test("the card names its seller, has neither fee nor net nor txid, and an ended one no code", () => {
  const open = JSON.stringify(chargePost(sampleCharge({ fee: cents(1), net: cents(2) }), "ref"));
  const { ownerId } = sampleCharge();
  expect(open).toContain(`<@${ownerId}>`);
  expect(open).toContain(CODE);
  expect(open).not.toMatch(/taxa|c5d1f08e27ab|0,01|0,02/);
  for (const [state, words] of [
    ["paid", /Pago: R\$/],
    ["expired", /Expirado: R\$.*Não pague/],
    ["refunded", /R\$/],
    ["unfollowed", /R\$/],
  ] as const) {
    const ended = chargePost(sampleCharge({ state }), "ref");
    expect(JSON.stringify(ended)).toMatch(words);
    expect(JSON.stringify(ended)).toContain(`<@${ownerId}>`);
    expect(JSON.stringify(ended)).not.toContain(CODE.slice(0, 12));
    expect(ended.charge).toBeUndefined();
    expect(ended.components).toBeUndefined();
  }
});

test("the card of a seller whose data was erased mentions nobody and has no empty description", () => {
  const left = chargePost(
    sampleCharge({ state: "unfollowed", ownerId: "", description: "" }),
    "ref",
  );
  expect(left.content).toContain("R$");
  expect(JSON.stringify(left)).not.toMatch(/<@>|Quem vende|Descrição/);
});

test.each(["open", "paid"] as const)(
  "a card that is %s is in the language of its channel, not of its seller",
  (state) => {
    const given = { state, endedAt: NOW };
    const english = chargePost(sampleCharge({ ...given, locale: "en-US" }), "ref");
    expect(english).toEqual(chargePost(sampleCharge(given), "ref"));
    const others = chargePost(sampleCharge({ ...given, cardLocale: "en-US" }), "ref");
    expect(others.content).not.toBe(english.content);
  },
);

test.each(["pt-BR", "en-US"] as const)(
  "a message about a card that may be in a channel names the channel, in %s",
  (locale) => {
    const charge = sampleCharge({ locale });
    expect(JSON.stringify(unpostedNotice(charge, "ref", "unclear"))).toContain(
      `<#${charge.channelId}>`,
    );
  },
);

test.each([
  ["pt-BR", /Se o tópico for privado, me mencione nele antes; se estiver trancado, peça/],
  ["en-US", /If the thread is private, mention me in it first; if it is locked, also ask/],
] as const)(
  "a message about a card that is not posted tells how to open a thread to the bot, in %s",
  (locale, told) => {
    const message = unpostedNotice(sampleCharge({ locale }), "ref", "channel_lost");
    expect(message.embeds?.[0]?.description).toMatch(told);
  },
);

test("a message that has a code names its charge, so that it is not sent after its end", () => {
  const charge = sampleCharge();
  expect(chargeNotice(charge, "ref").payable).toBe(charge.id);
  expect(chargeNotice({ ...charge, state: "expired" }, "ref").payable).toBeUndefined();
});

test("a code without a txid comes by message without a promise to tell its payment", () => {
  const told = JSON.stringify(chargeNotice(sampleCharge({ txid: undefined }), "ref"));
  expect(told).toContain("confira o pagamento no painel do serviço");
  expect(told).not.toContain("eu aviso");
});

test.each(["channel_lost", "refused", "refused_later", "unclear"] as const)(
  "a message about a card that is not posted (%s) has the code to send, while it can be paid",
  (why) => {
    const told = (charge: Partial<Charge>) =>
      JSON.stringify(unpostedNotice(sampleCharge(charge), "ref", why));
    expect(told({})).toContain(CODE);
    expect(told({ state: "unfollowed" })).not.toContain(CODE);
  },
);

test.each(["pt-BR", "en-US"] as const)(
  "a message about a card says of a charge that is given up where a payment would appear, in %s",
  (locale) => {
    const { charges } = chargeTexts(locale);
    const left = sampleCharge({ state: "unfollowed", locale });
    for (const why of ["channel_lost", "refused", "refused_later", "unclear"] as const)
      expect(unpostedNotice(left, "ref", why).embeds?.[0]?.description).toBe(
        charges.unfollowedText,
      );
  },
);

test.each(["expired", "missing"] as const)(
  "a message about a charge that is %s leads to its server, where another can be made",
  (state) => {
    const [embed] = chargeNotice(sampleCharge({ state }), "ref").embeds ?? [];
    expect(embed?.description).toContain("`/cobrar`");
    expect(embed?.description).toContain(
      `[Abrir o servidor](https://discord.com/channels/${sampleCharge().guildId})`,
    );
  },
);

test("a paid charge and its card date the payment as people write dates", () => {
  const paid = { state: "paid", endedAt: NOW } as const;
  expect(shown(paid)).toContain(`Caiu em ${fullAndRelative(NOW)}.`);
  const card = JSON.stringify(chargePost(sampleCharge(paid), "ref"));
  expect(card).toContain(`Recebido em ${fullTime(NOW)}.`);
});

test("the picture of any code reads back as that code by another library", async () => {
  const codes = fc.string({
    unit: fc.constantFrom(...Array.from("0123456789ABCDEFabc .*/-")),
    minLength: 60,
    maxLength: 500,
  });
  await fc.assert(
    fc.asyncProperty(codes, async (code) => {
      const png = Buffer.from(await drawQrCode(code));
      const { width, height, data } = PNG.sync.read(png);
      expect(decodeQR({ width, height, data })).toBe(code);
    }),
    { numRuns: 25 },
  );
});
