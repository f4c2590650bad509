import type { PageLocale } from "../page-view.ts";

/** Texts of Discord's client around messages. */
export interface ClientTexts {
  readonly onlyYou: string;
  readonly dismiss: string;
  readonly thinking: (bot: string) => string;
  readonly noAnswer: string;
  readonly notPermitted: string;
  readonly notAccepted: string;
  readonly sandboxGone: string;
  readonly interactionFailed: string;
  readonly used: string;
  readonly edited: string;
  readonly yes: string;
  readonly no: string;
  readonly today: (time: string) => string;
  readonly yesterday: (time: string) => string;
  readonly tomorrow: (time: string) => string;
  readonly send: string;
  readonly cancel: string;
  readonly formFailed: string;
  readonly fieldRequired: (label: string) => string;
  readonly fieldTooShort: (label: string, least: number) => string;
  readonly choose: string;
  readonly required: string;
  readonly pickOne: string;
  readonly command: string;
  readonly typeSlash: string;
  readonly typeDirectSlash: string;
  readonly commandsOnly: string;
  readonly commandsOf: (bot: string) => string;
  readonly noSuchCommand: string;
  readonly notACommand: string;
  readonly tooLong: string;
  readonly messageMenu: string;
  readonly options: string;
  readonly moreOptions: (count: number) => string;
  readonly channelStart: (name: string) => string;
  readonly seeCommands: (bot: string) => string;
  readonly directStart: (name: string) => string;
  readonly noNotices: string;
}

const PORTUGUESE: ClientTexts = {
  onlyYou: "Só você pode ver esta mensagem",
  dismiss: "Ignorar mensagem",
  thinking: (bot) => `${bot} está pensando…`,
  noAnswer: "O aplicativo não respondeu",
  notPermitted: "Você não tem permissão para usar este comando",
  notAccepted: "O Discord não aceitou este comando: confira as opções",
  sandboxGone: "A demonstração não está respondendo: veja o terminal em que ela roda",
  interactionFailed: "Esta interação falhou",
  used: "usou",
  edited: "(editado)",
  yes: "Verdadeiro",
  no: "Falso",
  today: (time) => `Hoje às ${time}`,
  yesterday: (time) => `Ontem às ${time}`,
  tomorrow: (time) => `Amanhã às ${time}`,
  send: "Enviar",
  cancel: "Cancelar",
  formFailed: "Algo deu errado. Tente novamente.",
  fieldRequired: (label) => `Preencha “${label}”.`,
  fieldTooShort: (label, least) => `“${label}” precisa de pelo menos ${least} caracteres.`,
  choose: "Escolha uma opção",
  required: "Esta opção é obrigatória",
  pickOne: "Escolha um dos valores da lista",
  command: "Comando",
  typeSlash: "Escreva, ou use um /comando",
  typeDirectSlash: "Digite / para usar um comando",
  commandsOnly: "Aqui o bot lê só comandos, que começam com /.",
  commandsOf: (bot) => `Comandos do ${bot}`,
  noSuchCommand: "Nenhum comando com este nome",
  notACommand: "Este comando não existe, ou não é para esta pessoa.",
  tooLong: "Uma mensagem tem no máximo 2.000 caracteres.",
  messageMenu: "Apps desta mensagem",
  options: "Opções",
  moreOptions: (count) => (count === 1 ? "+ 1 opção" : `+ ${count} opções`),
  channelStart: (name) => `Este é o começo de #${name}`,
  seeCommands: (bot) => `Digite / para ver os comandos do ${bot}.`,
  directStart: (name) => `Mensagens diretas de ${name}`,
  noNotices: "Avisos que são só seus chegam aqui. Por enquanto, nenhum.",
};

const ENGLISH: ClientTexts = {
  onlyYou: "Only you can see this",
  dismiss: "Dismiss message",
  thinking: (bot) => `${bot} is thinking…`,
  noAnswer: "The application did not respond",
  notPermitted: "You do not have permission to use this command",
  notAccepted: "Discord did not accept this command: check its options",
  sandboxGone: "The demo is not responding: look at the terminal where it runs",
  interactionFailed: "This interaction failed",
  used: "used",
  edited: "(edited)",
  yes: "True",
  no: "False",
  today: (time) => `Today at ${time}`,
  yesterday: (time) => `Yesterday at ${time}`,
  tomorrow: (time) => `Tomorrow at ${time}`,
  send: "Submit",
  cancel: "Cancel",
  formFailed: "Something went wrong. Try again.",
  fieldRequired: (label) => `Fill in “${label}”.`,
  fieldTooShort: (label, least) => `“${label}” needs at least ${least} characters.`,
  choose: "Make a selection",
  required: "This option is required",
  pickOne: "Pick one of the listed values",
  command: "Command",
  typeSlash: "Write, or type / to use a command",
  typeDirectSlash: "Type / to use a command",
  commandsOnly: "Here the bot reads commands only, which begin with /.",
  commandsOf: (bot) => `Commands of ${bot}`,
  noSuchCommand: "No command of that name",
  notACommand: "There is no such command, or it is not for this person.",
  tooLong: "A message has at most 2,000 characters.",
  messageMenu: "Apps for this message",
  options: "Options",
  moreOptions: (count) => (count === 1 ? "+ 1 option" : `+ ${count} options`),
  channelStart: (name) => `This is the start of #${name}`,
  seeCommands: (bot) => `Type / to see the commands of ${bot}.`,
  directStart: (name) => `Direct messages from ${name}`,
  noNotices: "Notices for you alone arrive here. None so far.",
};

export const textsIn = (locale: PageLocale): ClientTexts =>
  locale === "pt-BR" ? PORTUGUESE : ENGLISH;

/** The text for a failed action. */
export const failureText = (reason: string, texts: ClientTexts): string => {
  switch (reason) {
    case "not_permitted":
      return texts.notPermitted;
    case "invalid_input":
    case "unknown_command":
      return texts.notAccepted;
    case "page_server":
      return texts.sandboxGone;
    default:
      return texts.noAnswer;
  }
};
