export const help = {
  title: "Balcão",
  about:
    "Leio as suas vendas por PIX no serviço de pagamentos e mostro aqui, só para você, saco o seu saldo quando você pede e aviso dos seus MEDs antes do prazo. " +
    "Se você aceitar, posto também o total de cada dia no canal do servidor, uma vez por dia.",
  start: "Por onde começar",
  notConnected:
    "**Você ainda não conectou a sua chave.**\n" +
    "1. Use `/conta conectar` e cole a chave da API no formulário.\n" +
    "2. Use `/vendas` para ver o dia de hoje.",
  connected: (key: string): string =>
    `A sua chave ${key} está conectada. \`/vendas\` mostra o dia de hoje, e \`/vendas data:ontem\` o anterior.`,
  paused: (key: string): string =>
    `O serviço recusou a sua chave ${key}. Conecte a nova com \`/conta conectar\`.`,
  manager:
    "Você gerencia este servidor: `/config relatorio` escolhe o canal do relatório diário, `/config testar` confere se ele chega lá, e `/config alertas` escolhe o canal e o cargo dos alertas de MED.",
  commands: "Comandos",
  moreCommands: "Mais comandos",
  money: "Sobre o seu dinheiro",
  moneyText:
    "`/saque` mostra tudo antes e só envia depois que você confirma; eu acompanho até o fim e aviso. " +
    "Se a resposta do serviço se perder, nunca repito: confiro. " +
    "Viu um saque que não foi você? `/travar` barra na hora todos os que sairiam por aqui (cancelar um agendado continua funcionando), e `/seguranca` liga o PIN e os limites.",
  meds: "Sobre os MEDs",
  medsText:
    "MED é a contestação de um PIX, que o pagador pede ao banco dele. `/meds` mostra cada um, o prazo da sua resposta e quanto está bloqueado, põe o prazo na sua agenda e prepara a sua defesa. " +
    "No menu de uma mensagem, **Guardar como prova** a guarda para o caso de a venda virar um MED; as guardadas ficam em `/provas`. " +
    "Lembro você do prazo por mensagem direta até a resposta sair, e `/conta ver` muda isso. Quem responde é você, no painel do serviço.",
  day: "Sobre o dia",
  dayText:
    "O dia do serviço é contado em UTC: fecha às 21h de Brasília. Uma venda das 22h já entra no dia seguinte.",
  privacy: "Sobre a sua chave da API",
  privacyText:
    "Ela fica cifrada, e mostro só os 4 últimos caracteres. Nunca mande a chave em mensagem nem em opção de comando.",
};
