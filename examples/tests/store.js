const items = [];
module.exports = { items, add: item => items.push(item) };
