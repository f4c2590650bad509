/** A language that a person's Discord client can be set to. */
export type PersonLocale = "pt-BR" | "en-US";

/** A person of the sandbox, played by its visitor or by a test. */
export interface SandboxPerson {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  /** Holds Manage Server in every guild of the sandbox. */
  readonly manageGuild: boolean;
}

/** A person with an account in the local wallet service; the account's `userId` is the person's id. */
interface SandboxSeller extends SandboxPerson {
  /** Opens that account in the local wallet service, and only there. */
  readonly apiKey: string;
}

interface SandboxChannel {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  /** False where the bot can read but not post. */
  readonly botMayPost: boolean;
}

/** Without the feature COMMUNITY, as most servers are: Discord then calls every one English. */
export const GUILD = {
  id: "1180000000000000001",
  name: "Loja Aurora",
  locale: "en-US",
  features: [],
} as const;

const channel = (id: string, name: string, topic: string, botMayPost = true): SandboxChannel => ({
  id,
  name,
  topic,
  botMayPost,
});

export const CHANNELS = {
  geral: channel("1180000000000000101", "geral", "Conversa da loja"),
  vendas: channel("1180000000000000102", "vendas", "Relatórios diários"),
  equipe: channel("1180000000000000103", "equipe", "Só a equipe escreve aqui", false),
  avisos: channel("1180000000000000104", "avisos", "Avisos da loja"),
} as const;

/** Roles of the guild that all members may mention, without permissions. */
export const ROLES = { equipe: { id: "1180000000000000401", name: "Equipe" } } as const;

export const ANA: SandboxSeller = {
  id: "1180000000000000201",
  username: "ana",
  displayName: "Ana",
  manageGuild: false,
  apiKey: "sk_sandbox_ana_0123456789abcdef",
};

export const BRUNO: SandboxSeller = {
  id: "1180000000000000202",
  username: "bruno",
  displayName: "Bruno",
  manageGuild: false,
  apiKey: "sk_sandbox_bruno_fedcba9876543210",
};

export const CARLA: SandboxPerson = {
  id: "1180000000000000203",
  username: "carla",
  displayName: "Carla",
  manageGuild: true,
};

export const PEOPLE: readonly SandboxPerson[] = [ANA, BRUNO, CARLA];

const APPLICATION_ID = "1180000000000000301";

/** The bot's application; Discord gives the bot's user the same id. */
export const APPLICATION = {
  id: APPLICATION_ID,
  name: "Balcão",
  username: "balcao",
  /** Has the form of a bot token (first part: the id in base64) and works with the local Discord only. */
  token: `${Buffer.from(APPLICATION_ID).toString("base64url")}.sandbox.only-the-local-discord-knows-this`,
} as const;
