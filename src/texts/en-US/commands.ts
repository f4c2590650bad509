import type { commands as portuguese } from "../pt-BR/commands.ts";

export const commands: typeof portuguese = {
  conta: {
    self: "Connects, shows or disconnects your API key",
    conectar: "Connects your API key in this server",
    membro: "Only for those who manage the server: whose key it is",
    ver: "Shows your connection and what you agreed to",
    desconectar: "Deletes your key from this server",
  },
  vendas: {
    self: "Shows your sales of one day",
    data: "hoje (today), ontem (yesterday) or DD/MM/YYYY. Empty: the day that is open now",
  },
  config: {
    self: "Looks after this server's daily report",
    relatorio: "Chooses the channel and the time of the daily report",
    canal: "Channel where the report is posted",
    horario: "HH:MM, such as 21:05, just after the day closes in Brasília",
    fuso: "Time zone of that time. Empty: America/Sao_Paulo",
    ativo: "Switches the report on or off",
    ver: "Shows what is set and when the next report is due",
    testar: "Sends a test to the channel, the same way that reports go",
  },
  ajuda: { self: "What Balcão does and where to begin" },
};
