// A client that asks every second over kept-alive connections. With agentkeepalive 2.0.0 an unlucky order ends in "socket hang up";
// 2.0.2 is fixed. AKA names the package.
const http = require('node:http');
const Agent = require(process.env.AKA);
const agent = new Agent({ keepAlive: true, keepAliveTimeout: 1000, freeSocketKeepAliveTimeout: 1000, maxSockets: 2 });
const server = http.createServer((_request, response) => response.end('ok'));
server.keepAliveTimeout = 0;
const get = () =>
  new Promise((ok, no) =>
    http.get({ host: '127.0.0.1', port: server.address().port, agent }, r => r.resume().on('end', ok)).on('error', no),
  );
server.listen(0, '127.0.0.1', async () => {
  for (let i = 0; i < 3; i++) {
    await get();
    await new Promise(done => setTimeout(done, 1000));
  }
  process.exit(0);
});
