import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Reply, ReplyFile } from "#src/ui/reply.ts";
import { says, startBotEdge, type BotEdge } from "./support/bot-edge.ts";
import type { RestRequest } from "./support/fake-rest.ts";
import { click, slashCommand } from "./support/interactions.ts";
import { NOW } from "./support/parts.ts";
import { sampleWithdrawal } from "../withdrawals/withdraw-samples.ts";
import { receiptView } from "#src/withdrawals/receipt.view.ts";

const DIRECT_LIMIT = 256 * 1_024;
const read = () => slashCommand("vendas", [{ name: "ler", type: 1 }], NOW);
const fileOf = (name: string, data: Uint8Array): ReplyFile => ({
  name,
  contentType: "application/pdf",
  data,
});
const DATA = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
const FILES = [fileOf('a".pdf', DATA), fileOf("b.pdf", Buffer.from("b"))];
const ATTACHMENTS = [
  { id: 0, filename: "a_.pdf" },
  { id: 1, filename: "b.pdf" },
];
const withFiles = (files: readonly ReplyFile[] = FILES): Reply => ({ ...says("veja"), files });

let edge: BotEdge;
beforeEach(async () => {
  edge = await startBotEdge();
});

/** A request as Discord parses it: payload, file names and bytes. */
const readForm = async ({ method, headers, bytes }: RestRequest) => {
  const type = headers["content-type"] ?? "";
  expect(type).toMatch(/^multipart\/form-data; boundary=/);
  const response = new Response(new Uint8Array(bytes), { headers: { "content-type": type } });
  const { payload_json: payload, ...files } = Object.fromEntries(await response.formData());
  const sizes = Object.entries(files).map(async ([field, file]) =>
    typeof file === "string"
      ? undefined
      : { field, name: file.name, data: Buffer.from(await file.arrayBuffer()) },
  );
  return {
    method,
    payload: JSON.parse(typeof payload === "string" ? payload : "") as unknown,
    files: await Promise.all(sizes),
  };
};

/** All requests that serving `answer` makes. */
const serve = async (raw: object, answer: Reply): Promise<readonly RestRequest[]> => {
  edge.script.work = () => answer;
  await edge.route(raw, performance.now());
  return edge.discord.requests;
};

const last = async () => {
  const request = edge.discord.requests.at(-1);
  if (request === undefined) throw new Error("Nothing was sent");
  return await readForm(request);
};

const SENT = [
  { field: "files[0]", name: "a_.pdf", data: DATA },
  { field: "files[1]", name: "b.pdf", data: Buffer.from("b") },
];

describe("an answer with files", () => {
  test("goes out in one call with the names of its attachments", async () => {
    expect(await serve(read(), withFiles())).toHaveLength(1);
    expect(await last()).toMatchObject({
      method: "POST",
      payload: { type: 4, data: { content: "veja", flags: 64, attachments: ATTACHMENTS } },
      files: SENT,
    });
  });

  test("to a component takes the place of the files that its message had", async () => {
    await serve(click("vendas:trocar"), withFiles());
    expect(await last()).toMatchObject({
      payload: { type: 7, data: { content: "veja", attachments: ATTACHMENTS } },
      files: SENT,
    });
  });

  test("is edited in after a deferral", async () => {
    edge = await startBotEdge({ deferAtMs: 0 });
    const work = Promise.withResolvers<Reply>();
    edge.script.work = () => work.promise;
    const served = edge.route(read(), performance.now());
    await edge.discord.request(({ path }) => path.endsWith("/callback"));
    work.resolve(withFiles());
    await served;
    expect(await last()).toMatchObject({
      method: "PATCH",
      payload: { content: "veja", attachments: ATTACHMENTS },
      files: SENT,
    });
  });

  test.each(["reset", { status: 500 }] as const)(
    "is repeated after %j as the same bytes",
    async (first) => {
      const conducts = [first];
      edge.discord.answer(() => conducts.shift() ?? { status: 400, body: { code: 40060 } });
      const [one, two, ...more] = await serve(read(), withFiles());
      expect(more).toEqual([]);
      expect(two?.bytes).toEqual(one?.bytes);
      expect(two?.headers["content-type"]).toBe(one?.headers["content-type"]);
      expect(edge.counted).toMatchObject([{ outcome: "answered" }]);
    },
  );

  test("that would take long to send is deferred first, so that nothing comes too late", async () => {
    const large = fileOf("c.pdf", Buffer.alloc(DIRECT_LIMIT + 1, 7));
    const requests = await serve(read(), withFiles([large]));
    expect(requests).toHaveLength(2);
    expect(requests[0]?.body).toEqual({ type: 5, data: { flags: 64 } });
    expect(await last()).toMatchObject({ method: "PATCH", files: [{ data: large.data }] });
    expect(edge.counted).toMatchObject([{ outcome: "deferred" }]);
  });

  test.each([
    ["too many", Array.from({ length: 11 }, (_, n) => fileOf(`${n}.pdf`, DATA))],
    ["too large", [fileOf("c.pdf", Buffer.alloc(10 * 1_024 * 1_024 + 1))]],
  ])("of which there are %s is not sent, and the person is told", async (_, files) => {
    const requests = await serve(read(), withFiles(files));
    expect(requests.every(({ bytes }) => bytes.length < 1_000)).toBe(true);
    expect(JSON.stringify(requests.at(-1)?.body)).toContain("unexpected");
    expect(edge.counted).toMatchObject([{ outcome: "failed" }]);
  });
});

describe("an answer with a picture, where Discord refuses uploads", () => {
  const embeds = [{ title: "Cobrança", image: { url: "attachment://a.png" } }];
  const shown: Reply = { ...says("veja"), embeds, files: [fileOf("a.png", DATA)] };
  const asText = { content: "veja", embeds: [{ title: "Cobrança" }] };
  const refuseFiles = (): void =>
    edge.discord.answer(({ headers }) =>
      headers["content-type"] === "application/json"
        ? { status: 204 }
        : { status: 403, body: { code: 400001 } },
    );

  test("comes as text alone, and counts as taken", async () => {
    refuseFiles();
    const onTaken = vi.fn(async () => {});
    const requests = await serve(read(), { ...shown, onTaken });
    expect(requests).toHaveLength(2);
    expect(requests[1]?.body).toMatchObject({ type: 4, data: { ...asText, flags: 64 } });
    expect(requests[1]?.body).not.toHaveProperty("data.embeds.0.image");
    expect(onTaken).toHaveBeenCalledOnce();
    expect(edge.counted).toMatchObject([{ outcome: "answered" }]);
  });

  test("to a component clears the picture that its message had", async () => {
    refuseFiles();
    const requests = await serve(click("vendas:trocar"), shown);
    expect(requests[1]?.body).toMatchObject({ type: 7, data: { ...asText, attachments: [] } });
  });

  test("that is edited later by its name comes as text too", async () => {
    refuseFiles();
    await serve(read(), { ...says("aguarde"), live: { name: "W-1", state: "accepted" } });
    expect(await edge.live.edit("W-1", () => shown)).toBe(true);
    expect(edge.discord.requests.at(-1)?.body).toMatchObject({ ...asText, attachments: [] });
  });

  test("leaves a receipt as its text, without its printed copy", async () => {
    refuseFiles();
    const withdrawal = sampleWithdrawal();
    const facts = { op: undefined, withdrawal, readAt: NOW, locale: "pt-BR" } as const;
    const requests = await serve(read(), receiptView(facts, DATA));
    const content = expect.stringContaining("RECIBO DE SAQUE POR PIX");
    expect(requests[1]?.body).toMatchObject({ type: 4, data: { content, flags: 64 } });
  });

  test("but whose files its text speaks of is told as failed", async () => {
    refuseFiles();
    const requests = await serve(read(), withFiles());
    expect(requests).toHaveLength(2);
    expect(JSON.stringify(requests[1]?.body)).toContain("unexpected");
  });
});

describe("an answer without files", () => {
  test("is JSON and says nothing of attachments", async () => {
    const [request] = await serve(read(), says("pronto"));
    expect(request?.headers["content-type"]).toBe("application/json");
    expect(request?.body).not.toHaveProperty("data.attachments");
  });

  test("in the place of another clears the files that were there", async () => {
    const [request] = await serve(click("vendas:trocar"), says("pronto"));
    expect(request?.body).toMatchObject({ type: 7, data: { attachments: [] } });
  });
});

test("an answer that is edited later by its name takes files too", async () => {
  await serve(read(), { ...says("pronto"), live: { name: "W-1", state: "accepted" } });
  expect(await edge.live.edit("W-1", () => withFiles())).toBe(true);
  expect(await last()).toMatchObject({ method: "PATCH", files: SENT });
});
