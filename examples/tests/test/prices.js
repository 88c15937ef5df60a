const assert = require('node:assert');

describe('prices', () => {
  for (const cents of [0, 1, 99, 100]) it(`shows ${cents}`, () => assert.ok((cents / 100).toFixed(2)));
});
