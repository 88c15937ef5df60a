// A small shop. Everything is kept in memory: node server.js <port>
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const products = Array.from({ length: 40 }, (_, i) => ({
  sku: `P-${100 + i}`,
  title: ['Kettle', 'Lamp', 'Rug', 'Clock', 'Chair'][i % 5] + ` ${1 + Math.floor(i / 5)}`,
  price: i === 27 ? null : 500 + ((i * 371) % 4000),
  stock: (i * 7) % 13,
  tags: i % 3 ? ['home'] : ['home', 'new'],
}));
const sessions = new Map();

const cookie = (request, name) =>
  (request.headers.cookie ?? '').split('; ').find(piece => piece.startsWith(`${name}=`))?.slice(name.length + 1);

const routes = {
  'GET /': () => ({ type: 'text/html', body: '<!doctype html><title>Shop</title><div id="app"></div>' }),
  'GET /app.js': () => ({ type: 'text/javascript', body: 'console.log("shop")' }),
  'GET /app.css': () => ({ type: 'text/css', body: 'body { margin: 0 }' }),
  'POST /api/events': () => ({ status: 204 }),
  'GET /api/products': ({ url }) => {
    const page = Number(url.searchParams.get('page') ?? 1);
    const size = Number(url.searchParams.get('size') ?? 10);
    return { body: { page, items: products.slice((page - 1) * size, page * size) } };
  },
  'GET /api/search': ({ url }) => {
    const text = (url.searchParams.get('q') ?? '').toLowerCase();
    return { body: { items: products.filter(({ title }) => title.toLowerCase().includes(text)) } };
  },
  'POST /login': ({ body }) => {
    const form = new URLSearchParams(body);
    if (!form.get('user')) return { status: 400, body: { error: 'user is missing' } };
    const sid = randomUUID();
    sessions.set(sid, { user: form.get('user'), items: new Map(), count: 0 });
    return { body: { ok: true }, headers: { 'set-cookie': `sid=${sid}; Path=/; HttpOnly` } };
  },
  'GET /api/cart': ({ cart }) => cart && { body: { items: [...cart.items], count: cart.count } },
  'POST /api/cart': ({ cart, body }) => {
    if (!cart) return undefined;
    const { sku, quantity = 1 } = JSON.parse(body || '{}');
    if (!products.some(product => product.sku === sku)) return { status: 404, body: { error: 'no such product' } };
    cart.items.set(sku, (cart.items.get(sku) ?? 0) + quantity);
    cart.count += quantity;
    return { status: 201, body: { count: cart.count } };
  },
  'DELETE /api/cart': ({ cart, url }) => {
    // Takes the whole line out of the cart, whatever its quantity was, and counts one.
    if (cart?.items.delete(url.searchParams.get('sku'))) cart.count -= 1;
    return cart && { status: 204 };
  },
  'POST /api/coupon': ({ cart, body }) => {
    if (!cart) return undefined;
    cart.coupon = new URLSearchParams(body).get('code');
    return { body: { coupon: cart.coupon } };
  },
  'POST /api/checkout': ({ cart, body }) => {
    if (!cart) return undefined;
    if (cart.count === 0) return { status: 400, body: { error: 'the cart is empty' } };
    const { shipping } = JSON.parse(body || '{}');
    const lines = [...cart.items].map(([sku, quantity]) => ({ quantity, ...products.find(product => product.sku === sku) }));
    let total = lines.reduce((sum, line) => sum + line.quantity * (line.price ?? 0), 0);
    if (cart.coupon === 'CHEAPEST-FREE') total -= lines.reduce((a, b) => (a.price < b.price ? a : b)).price;
    cart.items.clear();
    cart.count = 0;
    return { body: { total: total + (shipping?.method === 'express' ? 990 : 0) } };
  },
};

createServer((request, response) => {
  const chunks = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    const url = new URL(request.url, 'http://shop');
    const route = routes[`${request.method} ${url.pathname}`];
    const cart = sessions.get(cookie(request, 'sid'));
    const answer = route ? (route({ url, cart, body: Buffer.concat(chunks).toString() }) ?? { status: 401, body: { error: 'log in first' } }) : { status: 404, body: { error: 'not found' } };
    const text = typeof answer.body === 'object' ? JSON.stringify(answer.body) : (answer.body ?? '');
    response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'application/json', ...answer.headers });
    response.end(answer.status === 204 ? undefined : text);
  });
}).listen(Number(process.argv[2] ?? process.env.PORT ?? 3000), '127.0.0.1');
