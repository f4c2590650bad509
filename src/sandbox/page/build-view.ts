import type { ShownModal, StoredMessage } from "../discord/local-discord.ts";
import { ANA, APPLICATION, BRUNO, CARLA, GUILD, PEOPLE, ROLES } from "../world.ts";
import { avatarPath } from "./avatars.ts";
import { pageCommands, pageMenuCommands } from "./page-commands.ts";
import { pageControls } from "./page-controls.ts";
import type { Choosable } from "./page-controls.ts";
import type { PageModal } from "./page-modal.ts";
import type { PageSandbox } from "./page-sandbox.ts";
import type {
  PageChannel,
  PageMessage,
  PageOutages,
  PagePerson,
  PageTrouble,
  PageView,
} from "./page-view.ts";
import { walletView } from "./wallet-view.ts";

/** Discord's own limit of a form's field. */
const LONGEST_FIELD = 4_000;
/** Older ones would only make each push longer. */
const MESSAGES_SHOWN = 100;

/** What the page shows to this person now. `dismissed`: ids of private messages that were put away. */
export const buildView = (
  { clock, discord, wallet }: Pick<PageSandbox, "clock" | "discord" | "wallet">,
  personId: string,
  dismissed: ReadonlySet<string>,
  wrong: { readonly trouble: Omit<PageTrouble, "fail">; readonly outages: PageOutages },
): PageView => {
  const seen = discord.visibleTo(personId);
  const choosable = {
    people: PEOPLE.map(({ id, displayName }) => ({ name: `@${displayName}`, value: id })),
    channels: seen.channels.map(({ id, name }) => ({ name: `#${name}`, value: id })),
  };
  const shown = (messages: readonly StoredMessage[]): readonly PageMessage[] =>
    messages
      .filter((message) => !dismissed.has(message.id))
      .slice(-MESSAGES_SHOWN)
      .map((message) => pageMessage(message, choosable));
  const people = PEOPLE.map((person): PagePerson => {
    const { locale, directMessages } = discord.visibleTo(person.id);
    return {
      id: person.id,
      name: person.displayName,
      role: person.manageGuild ? "admin" : "seller",
      avatar: avatarPath(person.id),
      locale,
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
    channels: [
      ...seen.channels.map((channel): PageChannel => ({
        id: channel.id,
        name: channel.name,
        kind: "guild",
        topic: channel.topic,
        messages: shown(channel.messages),
      })),
      {
        id: "direct",
        name: APPLICATION.name,
        kind: "direct",
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
    now: clock.now().toString(),
  };
};

const pageMessage = (message: StoredMessage, choosable: Choosable): PageMessage => ({
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
    .map(({ url, filename }) => ({ url, name: filename })),
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

/** Commands of menus are chosen, not typed; they alone have capitals or spaces at their start. */
const typedName = (name: string): string => (/^\p{Lu}/u.test(name) ? name : `/${name}`);

const isPicture = ({ content_type: type }: StoredMessage["attachments"][number]): boolean =>
  type?.startsWith("image/") === true;

const pageModal = (modal: ShownModal): PageModal => ({
  id: modal.id,
  title: modal.title,
  fields: modal.fields.map((field) => ({
    id: field.customId,
    label: field.label,
    placeholder: field.placeholder ?? "",
    value: field.value ?? "",
    multiline: field.style === "paragraph",
    required: field.required,
    minLength: field.minLength ?? 0,
    maxLength: field.maxLength ?? LONGEST_FIELD,
  })),
});

const nameOf = (id: string): string =>
  id === APPLICATION.id
    ? APPLICATION.name
    : (PEOPLE.find((person) => person.id === id)?.displayName ?? id);
