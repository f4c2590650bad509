import {
  type APIButtonComponent,
  type APIMessageTopLevelComponent,
  type APISelectMenuComponent,
  ButtonStyle,
  ComponentType,
} from "discord-api-types/v10";
import type { ShownModal, StoredMessage } from "../discord/state.ts";
import { ANA, APPLICATION, BRUNO, CARLA, GUILD, PEOPLE, ROLES } from "../world.ts";
import { pageCommands, pageMenuCommands } from "./page-commands.ts";
import type { PageOutages } from "./demo-controls.ts";
import type { PageChoice, PageSandbox } from "./page-view.ts";
import { type SharedTrouble, walletView } from "./page-wallet.ts";

/** Discord's limit for a form field. */
const LONGEST_FIELD = 4_000;
/** Limits the size of each push. */
const MESSAGES_SHOWN = 100;

/** The page's current view for this person. `dismissed`: ids of dismissed private messages. */
export const buildView = (
  { clock, discord, wallet }: Pick<PageSandbox, "clock" | "discord" | "wallet">,
  personId: string,
  dismissed: ReadonlySet<string>,
  wrong: {
    readonly trouble: SharedTrouble;
    readonly outages: PageOutages;
  },
) => {
  const seen = discord.visibleTo(personId);
  const choosable = {
    channels: seen.channels.map(({ id, name }) => ({ name: `#${name}`, value: id })),
    roles: Object.values(ROLES).map(({ id, name }) => ({ name: `@${name}`, value: id })),
  };
  const shown = (messages: readonly StoredMessage[]) =>
    messages
      .filter((message) => !dismissed.has(message.id))
      .slice(-MESSAGES_SHOWN)
      .map((message) => pageMessage(message, choosable));
  const people = PEOPLE.map((person) => {
    const { locale, directMessages } = discord.visibleTo(person.id);
    return {
      id: person.id,
      name: person.displayName,
      role: person.manageGuild ? ("admin" as const) : ("seller" as const),
      avatar: avatarPath(person.id),
      locale,
      /** A change means an unread message. */
      lastDirectMessageId: directMessages?.messages.at(-1)?.id ?? null,
    };
  });
  const me = people.find(({ id }) => id === personId);
  if (me === undefined) throw new RangeError(`Nobody has the id ${personId}`);

  return {
    me,
    people,
    botName: APPLICATION.name,
    botAvatar: avatarPath(APPLICATION.id),
    botOnline: seen.botOnline,
    guildName: GUILD.name,
    /** Channels of the guild, then the direct channel. */
    channels: [
      ...seen.channels.map((channel) => ({
        id: channel.id,
        name: channel.name,
        kind: "guild" as const,
        topic: channel.topic,
        messages: shown(channel.messages),
      })),
      {
        id: "direct",
        name: APPLICATION.name,
        kind: "direct" as const,
        topic: "",
        messages: shown(seen.directMessages?.messages ?? []),
      },
    ],
    roles: Object.values(ROLES),
    commands: [
      ...pageCommands(seen.commands, "guild", seen.locale),
      ...pageCommands(seen.directCommands, "direct", seen.locale),
    ],
    menuCommands: pageMenuCommands(seen.commands, seen.locale),
    modals: seen.modals.map(pageModal),
    guide: {
      sellers: [ANA, BRUNO].map(({ id, displayName, apiKey }) => ({
        personId: id,
        name: displayName,
        apiKey,
      })),
      adminId: CARLA.id,
      adminName: CARLA.displayName,
    },
    wallets: walletView({ wallet, clock }, wrong.trouble),
    outages: wrong.outages,
    /** ISO 8601 in UTC. */
    now: clock.now().toString(),
  };
};

const pageMessage = (message: StoredMessage, choosable: Choosable) => ({
  id: message.id,
  author: {
    name: nameOf(message.authorId),
    bot: message.authorId === APPLICATION.id,
    avatar: avatarPath(message.authorId),
  },
  content: message.content,
  embeds: message.embeds,
  controls: pageControls(message.components, choosable),
  images: message.attachments
    .filter(isPicture)
    .map(({ url, filename, description }) => ({ url, name: description ?? filename })),
  files: message.attachments
    .filter((attachment) => !isPicture(attachment))
    .map(({ url, filename, size }) => ({ url, name: filename, size })),
  sentAt: message.createdAt.toString(),
  edited: message.editedAt !== undefined && !message.thinking,
  private: message.privateTo !== undefined,
  thinking: message.thinking,
  answers:
    message.answers?.commandName === undefined
      ? null
      : {
          command: typedName(message.answers.commandName),
          by: nameOf(message.answers.userId),
          avatar: avatarPath(message.answers.userId),
        },
});

/** Adds the slash, except to message commands: only their names begin with a capital. */
const typedName = (name: string): string => (/^\p{Lu}/u.test(name) ? name : `/${name}`);

const isPicture = ({ content_type: type }: StoredMessage["attachments"][number]): boolean =>
  type?.startsWith("image/") === true;

const pageModal = (modal: ShownModal) => ({
  id: modal.id,
  title: modal.title,
  fields: modal.fields.map((field) => ({
    id: field.customId,
    label: field.label,
    placeholder: field.placeholder ?? "",
    value: field.value ?? "",
    required: field.required,
    minLength: field.minLength ?? 0,
    maxLength: field.maxLength ?? LONGEST_FIELD,
    /** Of a menu; null for a text input. */
    options:
      field.options?.map(({ value, label, description }) => ({
        value,
        label: description === undefined ? label : `${label} · ${description}`,
      })) ?? null,
  })),
});

const nameOf = (id: string): string =>
  id === APPLICATION.id
    ? APPLICATION.name
    : (PEOPLE.find((person) => person.id === id)?.displayName ?? id);

const STYLES: Readonly<Partial<Record<ButtonStyle, "primary" | "success" | "danger">>> = {
  [ButtonStyle.Primary]: "primary",
  [ButtonStyle.Success]: "success",
  [ButtonStyle.Danger]: "danger",
};

/** Choices of selects of channels and of roles. */
interface Choosable {
  readonly channels: readonly PageChoice[];
  readonly roles: readonly PageChoice[];
}

/** Rows of buttons and selects; the page does not show other components. */
const pageControls = (components: readonly APIMessageTopLevelComponent[], choosable: Choosable) =>
  components.flatMap((row) => {
    if (row.type !== ComponentType.ActionRow) return [];
    return [
      row.components.map((component) =>
        component.type === ComponentType.Button
          ? pageButton(component)
          : pageSelect(component, choosable),
      ),
    ];
  });

const pageButton = (button: APIButtonComponent) => {
  const emoji = "emoji" in button ? button.emoji?.name : undefined;
  const label = "label" in button ? button.label : undefined;
  return {
    kind: "button" as const,
    /** Empty for a link. */
    customId: "custom_id" in button ? button.custom_id : "",
    url: "url" in button ? button.url : null,
    label: [emoji, label].filter((part) => part !== undefined).join(" "),
    style: STYLES[button.style] ?? ("secondary" as const),
    disabled: button.disabled === true,
  };
};

const pageSelect = (select: APISelectMenuComponent, choosable: Choosable) => ({
  kind: "select" as const,
  customId: select.custom_id,
  placeholder: select.placeholder ?? null,
  several: (select.max_values ?? 1) > 1,
  disabled: select.disabled === true,
  choices: choicesOf(select, choosable),
  chosen:
    select.type === ComponentType.StringSelect
      ? select.options.filter((option) => option.default === true).map(({ value }) => value)
      : (select.default_values ?? []).map(({ id }) => id),
});

const choicesOf = (select: APISelectMenuComponent, choosable: Choosable): readonly PageChoice[] => {
  if (select.type === ComponentType.StringSelect) {
    return select.options.map(({ emoji, label, description, value }) => ({
      name: [emoji?.name, label, description === undefined ? undefined : `· ${description}`]
        .filter((part) => part !== undefined)
        .join(" "),
      value,
    }));
  }
  return select.type === ComponentType.RoleSelect ? choosable.roles : choosable.channels;
};

const COLOURS = ["#c2456b", "#2f7dc4", "#8a5cd1", "#b8741a"] as const;
const BOT_COLOUR = "#1f8a5f";

/** Path of a person's avatar on the page's server. */
const avatarPath = (id: string): string => `/avatars/${id}.svg`;

/** The avatar at this path: the initial in a disc. Undefined for other paths and unknown ids. */
export const avatarImage = (path: string): string | undefined => {
  const id = /^\/avatars\/(\d{17,20})\.svg$/.exec(path)?.[1];
  if (id === APPLICATION.id) return disc(APPLICATION.name, BOT_COLOUR);
  const place = PEOPLE.findIndex((person) => person.id === id);
  const person = PEOPLE[place];
  if (person === undefined) return undefined;
  return disc(person.displayName, COLOURS[place % COLOURS.length] ?? BOT_COLOUR);
};

const disc = (name: string, colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80">` +
  `<circle cx="40" cy="40" r="40" fill="${colour}"/>` +
  `<text x="40" y="54" text-anchor="middle" font-family="sans-serif" font-size="40" font-weight="600" fill="#fff">` +
  `${name.charAt(0)}</text></svg>`;
