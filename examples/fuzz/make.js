// Random lines, the same every time: what a fuzzer sends to a program to see whether it falls.
const [bytes = 4000, seed = 1] = process.argv.slice(2).map(Number);
let state = seed;
const random = below => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
let text = '';
while (text.length < bytes) {
  for (let left = random(180); left > 0; left--) text += String.fromCharCode(32 + random(95));
  text += '\n';
}
process.stdout.write(text.slice(0, bytes));
