// The main content of each page named, by Mozilla Readability: a JSON line each with its text and the milliseconds of processor time.
'use strict';
const fs = require('fs');
const { JSDOM, VirtualConsole } = require('jsdom');
const { Readability } = require('@mozilla/readability');

for (const path of process.argv.slice(2)) {
  const bytes = fs.readFileSync(path);
  const begin = process.cpuUsage();
  let text = '';
  let dom;
  try {
    dom = new JSDOM(bytes, { url: 'https://page.example/', virtualConsole: new VirtualConsole() });
    const article = new Readability(dom.window.document).parse();
    text = article ? article.textContent : '';
  } catch (error) {
    console.error(`${path}: ${error.message}`);
  }
  const used = process.cpuUsage(begin);
  const ms = (used.user + used.system) / 1e3;
  if (dom) dom.window.close();
  console.log(JSON.stringify({ text, ms }));
}
