import { snowflakeAt } from "#src/shared/ids.ts";
import { NOW } from "./parts.ts";

export const APPLICATION_ID = "1180000000000000900";
export const GUILD_ID = "1180000000000000001";
export const CHANNEL_ID = "1180000000000000101";
export const USER_ID = "1180000000000000201";

let made = 0;

/** A gateway interaction created at `at`. */
const interaction = <Fields extends object>(at: Temporal.Instant, fields: Fields) => ({
  id: String(BigInt(snowflakeAt(at)) + BigInt(++made)),
  application_id: APPLICATION_ID,
  token: `token-${made}`,
  version: 1,
  guild_id: GUILD_ID,
  channel_id: CHANNEL_ID,
  channel: { id: CHANNEL_ID, type: 0 },
  member: { user: { id: USER_ID, username: "ana" }, permissions: "2147483648", roles: [] },
  locale: "pt-BR",
  guild: { id: GUILD_ID, locale: "en-US", features: [] as readonly string[] },
  guild_locale: "en-US",
  app_permissions: "84992",
  entitlements: [],
  ...fields,
});

interface RawOption {
  readonly name: string;
  readonly type: number;
  readonly value?: unknown;
  readonly options?: readonly RawOption[];
  readonly focused?: boolean;
}

export const slashCommand = (name: string, options: readonly RawOption[] = [], at = NOW) =>
  interaction(at, { type: 2, data: { id: "1180000000000000300", name, type: 1, options } });

export const autocompletion = (name: string, options: readonly RawOption[], at = NOW) =>
  interaction(at, { type: 4, data: { id: "1180000000000000300", name, type: 1, options } });

export const click = (customId: string, at = NOW) =>
  interaction(at, {
    type: 3,
    data: { custom_id: customId, component_type: 2 },
    message: { id: "1180000000000000400", content: "antes" },
  });

export const modalSubmit = (
  customId: string,
  fields: Readonly<Record<string, string>>,
  parts: object = {},
  at = NOW,
) =>
  interaction(at, {
    type: 5,
    data: {
      custom_id: customId,
      components: Object.entries(fields).map(([custom_id, value]) => ({
        type: 18,
        component: { type: 4, custom_id, value },
      })),
    },
    ...parts,
  });
