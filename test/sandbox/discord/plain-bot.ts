import { APPLICATION } from "#src/sandbox/world.ts";
import { identified } from "./gateway-client.ts";
import type { Json, RestAnswer, Running } from "./running.ts";

export interface Received extends Json {
  readonly token: string;
  readonly type: number;
  readonly data: Json;
  readonly locale: string;
  readonly member: { readonly permissions: string };
}

/** A bot's actions on one interaction. */
export interface Exchange {
  readonly interaction: Received;
  readonly answer: (type: number, data?: unknown) => Promise<RestAnswer>;
  readonly edit: (body: unknown) => Promise<RestAnswer>;
  readonly original: () => Promise<RestAnswer>;
  readonly followUp: (body: unknown) => Promise<RestAnswer>;
}

const exchange = ({ rest }: Running, interaction: Received): Exchange => {
  const { id, token } = interaction;
  const webhook = `/webhooks/${APPLICATION.id}/${token}`;
  return {
    interaction,
    answer: (type, data) => rest("POST", `/interactions/${id}/${token}/callback`, { type, data }),
    edit: (body) => rest("PATCH", `${webhook}/messages/@original`, body),
    original: () => rest("GET", `${webhook}/messages/@original`),
    followUp: (body) => rest("POST", webhook, body),
  };
};

export const COMMANDS = [
  {
    name: "vendas",
    description: "Vendas do dia",
    options: [
      { type: 3, name: "data", description: "Dia", autocomplete: true, max_length: 10 },
      { type: 7, name: "canal", description: "Canal" },
      { type: 6, name: "membro", description: "Membro" },
      { type: 4, name: "quantos", description: "Quantos", min_value: 1, max_value: 5 },
      { type: 3, name: "modo", description: "Modo", choices: [{ name: "Um", value: "1" }] },
    ],
  },
  {
    name: "config",
    description: "Ajustes",
    default_member_permissions: "32",
    options: [
      {
        type: 1,
        name: "relatorio",
        description: "Relatório",
        options: [{ type: 7, name: "canal", description: "Canal", required: true }],
      },
    ],
  },
];

/** A bot with the commands above and a scripted answer; it keeps its interactions for later assertions. */
export const startPlainBot = async (
  running: Running,
  handle: (given: Exchange) => unknown = () => {},
): Promise<readonly Exchange[]> => {
  await running.rest("PUT", `/applications/${APPLICATION.id}/commands`, COMMANDS);
  const client = await identified(running);
  const exchanges: Exchange[] = [];
  client.listen((packet) => {
    if (packet.t !== "INTERACTION_CREATE") return;
    const given = exchange(running, packet.d as Received);
    exchanges.push(given);
    void handle(given);
  });
  return exchanges;
};
