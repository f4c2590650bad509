/** `/ajuda`: about six lines for the reader's part, and the list of commands behind a button. */
export const help = {
  title: "Balcão",
  about:
    "Mostro as suas vendas por PIX, faço saques quando você pede e aviso dos seus MEDs antes do prazo. As respostas, só você vê.",
  notConnected:
    "**Falta conectar a sua chave da API.** Toque no botão e cole a chave: ela fica cifrada, e nunca a mande em mensagem.",
  notConnectedDirect:
    "**Falta conectar a sua chave da API.** Use `/conta conectar` no servidor em que você vende.",
  connected: (key: string): string => `A sua chave ${key} está conectada.`,
  paused: (key: string): string =>
    `O serviço recusou a sua chave ${key}. Conecte a nova com \`/conta conectar\`.`,
  seller: [
    "`/vendas`: o dia de hoje · `/saldo`: o que dá para sacar agora",
    "`/saque`: envia por PIX, e mostra tudo antes",
    "`/meds`: contestações, prazos e a sua defesa",
    "`/travar`: barra os saques na hora, se você vir um que não foi você",
  ],
  manager: [
    "**Você gerencia este servidor:**",
    "`/config relatorio`: o canal e a hora do fechamento do dia",
    "`/config alertas`: o canal e o cargo dos alertas de MED",
    "`/config testar`: confere se o relatório chega",
  ],
  managerNotConnected: "Vende também? Conecte a sua chave da API pelo botão.",
  today: "Vendas de hoje",
  all: "Todos os comandos",

  groups: {
    sales: "Vendas",
    money: "Saldo e saques",
    meds: "MEDs e provas",
    account: "Conta e ajuda",
    server: "Do servidor",
  },
  goodToKnow: "Bom saber",
  goodToKnowText: [
    "O dia do serviço fecha às 21h de Brasília: uma venda das 22h já entra no dia seguinte.",
    "`/travar` barra os saques que sairiam por aqui; cancelar um agendado continua funcionando.",
    "Se a resposta de um saque se perder, nunca repito: confiro.",
    "MED é a contestação de um PIX, que o pagador pede ao banco dele. Quem responde é você, no painel do serviço.",
    "No menu de uma mensagem, **Guardar como prova** a guarda para a sua defesa.",
    "Da sua chave da API mostro só os 4 últimos caracteres.",
  ],
};
