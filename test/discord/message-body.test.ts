import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  fitsUpload,
  formOf,
  postBody,
  privateBody,
  replacingBody,
  sentName,
} from "#src/discord/message-body.ts";
import type { Reply, ReplyFile } from "#src/ui/reply.ts";
import { createDiscordHttp, type DiscordHttp } from "#src/discord/discord-http.ts";
import { hostileText } from "../support/any-text.ts";
import { type FakeRest, startFakeRest } from "./support/fake-rest.ts";

const RUNS = 300;
const ANA = "1180000000000000011";
const ROLE = "1180000000000000301";
const replyOf = (content: string): Reply => ({
  kind: "reply",
  content,
  embeds: [{ title: content, description: content }],
});

test(`whatever a message says, it notifies nobody: ${RUNS} texts`, () => {
  const property = fc.property(hostileText, (text) => {
    for (const body of [privateBody(replyOf(text)), replacingBody(replyOf(text))])
      expect(body.allowed_mentions).toEqual({ parse: [] });
    expect(postBody({ content: text }).allowed_mentions).toEqual({ parse: [] });
  });
  fc.assert(property, { numRuns: RUNS });
});

test("a post names whom it pings first and notifies them alone, whatever it says", () => {
  const content = "@everyone <@&118> <@119>";
  expect(postBody({ content, pings: { userId: ANA, roleId: ROLE } })).toEqual({
    content: `<@${ANA}> <@&${ROLE}> ${content}`,
    allowed_mentions: { parse: [], users: [ANA], roles: [ROLE] },
  });
  expect(postBody({ content, pings: { userId: ANA } })).toEqual({
    content: `<@${ANA}> ${content}`,
    allowed_mentions: { parse: [], users: [ANA] },
  });
});

test("an answer cannot name anybody whom it would notify", () => {
  const pings = { userId: ANA, roleId: ROLE };
  const named = { ...replyOf("x"), pings, allowed_mentions: { roles: [ROLE] } } as Reply;
  expect(privateBody(named).allowed_mentions).toEqual({ parse: [] });
  expect(replacingBody(named).allowed_mentions).toEqual({ parse: [] });
});

const MIB = 1_024 * 1_024;
const fileOf = (name: string, data: Uint8Array | string = "x", contentType = "text/plain") =>
  ({ name, contentType, data: Buffer.from(data) }) satisfies ReplyFile;

let discord: FakeRest;
let http: DiscordHttp;

beforeAll(async () => {
  discord = await startFakeRest();
  http = createDiscordHttp({ apiUrl: discord.apiUrl, connections: 1 });
});
afterAll(async () => {
  await http.close();
  await discord.stop();
});

const send = async (payload: object, files: readonly ReplyFile[]) => {
  await http.send({ method: "POST", path: "/channels/1/messages", body: formOf(payload, files) });
  const sent = discord.requests.at(-1);
  return { contentType: sent?.headers["content-type"] ?? "", bytes: sent?.bytes ?? Buffer.of() };
};

/** Parsed by another implementation: Node's `fetch`. */
const readBack = async (payload: object, files: readonly ReplyFile[]) => {
  const { contentType, bytes } = await send(payload, files);
  const headers = { "content-type": contentType };
  const form = await new Response(Buffer.from(bytes), { headers }).formData();
  return await Promise.all(
    [...form].map(async ([field, value]) =>
      typeof value === "string"
        ? { field, json: JSON.parse(value) as unknown }
        : {
            field,
            name: value.name,
            type: value.type,
            data: Buffer.from(await value.arrayBuffer()).toString("hex"),
          },
    ),
  );
};

const readName = async (name: string): Promise<unknown> =>
  Reflect.get((await readBack({}, [fileOf(name)]))[1] ?? {}, "name");

describe("a form with files", () => {
  test("carries every byte as it is, and files of nothing", async () => {
    const all = Buffer.from(Array.from({ length: 1_024 }, (_, n) => n % 256));
    const files = [fileOf("a.pdf", all, "application/pdf"), fileOf("b.txt", "")];
    expect(await readBack({ content: "\r\n--x" }, files)).toEqual([
      { field: "payload_json", json: { content: "\r\n--x" } },
      { field: "files[0]", name: "a.pdf", type: "application/pdf", data: all.toString("hex") },
      { field: "files[1]", name: "b.txt", type: "text/plain", data: "" },
    ]);
  });

  test("is the same each time that it is sent", async () => {
    const body = formOf({}, [fileOf("a.txt", "1")]);
    for (const _ of [1, 2]) await http.send({ method: "PATCH", path: "/webhooks/1", body });
    const [first = "", second = ""] = discord.requests.slice(-2).map(({ bytes, headers }) => {
      const boundary = /boundary=(.*)$/.exec(headers["content-type"] ?? "")?.[1] ?? "";
      return bytes.toString().replaceAll(boundary, "boundary");
    });
    expect(first).toContain('filename="a.txt"');
    expect(second).toBe(first);
  });

  test("a whole other form in a file stays one file", async () => {
    const inner = (await send({ content: "x" }, [fileOf("a.txt")])).bytes;
    expect(await readBack({}, [fileOf("outer.bin", inner)])).toMatchObject([
      { field: "payload_json" },
      { field: "files[0]", data: Buffer.from(inner).toString("hex") },
    ]);
  });

  test("names no type that would end its header", async () => {
    const type = "text/plain\r\nX-Evil: 1";
    const [, file] = await readBack({}, [fileOf("a.txt", "x", type)]);
    expect(file).toMatchObject({ name: "a.txt", type: "application/octet-stream" });
    const calendar = "text/calendar; charset=utf-8";
    expect((await readBack({}, [fileOf("a.ics", "x", calendar)]))[1]).toMatchObject({
      type: expect.stringMatching(/^text\/calendar; ?charset=utf-8$/),
    });
  });
});

describe("a file's name", () => {
  test.each([
    ['a".txt', "a_.txt"],
    ['a"; filename="b.exe', "a_; filename=_b.exe"],
    ["a\r\nX-Evil: 1\r\n\r\n.txt", "a__X-Evil: 1____.txt"],
    ["../../etc/passwd", ".._.._etc_passwd"],
    ["C:\\a.txt", "C:_a.txt"],
    ["a%22%0d%0a.txt", "a_22_0d_0a.txt"],
    ["fatura\u202efdp.exe", "fatura_fdp.exe"],
    ["a\u0000b\ud800.txt", "a_b\ufffd.txt"],
    ["defesa São João 🧾.pdf", "defesa São João 🧾.pdf"],
    ["", "_"],
    [" \n ", "_"],
  ])("%j arrives as %j", async (name, sent) => {
    expect(sentName(fileOf(name))).toBe(sent);
    expect(await readName(name)).toBe(sent);
  });

  test("keeps its end when it is cut", () => {
    const sent = sentName(fileOf(`${"🧾".repeat(300)}.pdf`));
    expect(Array.from(sent)).toHaveLength(100);
    expect(sent).toMatch(/🧾\.pdf$/u);
  });

  test("of any kind is read as what the body calls it, on one line", async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (name) => {
        const sent = sentName(fileOf(name));
        expect(sent).not.toMatch(/[\r\n"\\/\0]/);
        expect(await readName(name)).toBe(sent);
      }),
    );
  });
});

test("ten files and ten mebibytes in all are what fits", () => {
  const files = (count: number, size: number) =>
    Array.from({ length: count }, (_, n) => fileOf(`${n}.bin`, Buffer.alloc(size)));
  expect([fitsUpload([]), fitsUpload(files(10, MIB)), fitsUpload(files(1, 10 * MIB))]).toEqual([
    true,
    true,
    true,
  ]);
  expect([fitsUpload(files(11, 1)), fitsUpload(files(2, 5 * MIB + 1))]).toEqual([false, false]);
});
