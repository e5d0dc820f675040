import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { scratch } from '../support/engines.ts';
import { explored, openTab, pageOf } from '../support/explorer.ts';
import { type Serving, serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const TOPIC = 'ops:oncall';
const ADDRESS = `#/d/${encodeURIComponent(TOPIC)}`;

interface Shown {
  versions: { status: string; outcomes: { reason: string }[] }[];
  evidence: unknown[];
}

describe('what a person does on the page', { skip: NO_CHROMIUM }, () => {
  const folders = [scratch(), scratch(), scratch()] as const;
  let server: Serving;
  let reading: Serving;
  let browser: Browser;
  before(async () => {
    server = await explored(
      folders[0],
      { all: { person: true }, program: {}, reader: { access: 'read', person: true } },
      { page: pageOf(true) },
    );
    reading = await explored(folders[1]);
    browser = await startChromium();
  });
  after(async () => {
    await server?.close();
    await reading?.close();
  });
  const shown = async () =>
    (await server.api('narae/show', { ref: TOPIC })).body.decision as unknown as Shown;
  const button = (name: string) => `button:text-is("${name}")`;

  it('[X-3] [Z-14] offers nothing to a token that may only read or is a program’s, and nothing where the server was started without it', async (test) => {
    for (const [where, token] of [
      [server, server.tokens.reader],
      [server, server.tokens.program],
      [reading, reading.tokens.all],
    ] as const) {
      const { page, go, close } = await openTab(browser, where.url, token);
      test.after(close);
      await go(ADDRESS);
      assert.equal(await page.locator(button('Withdraw')).count(), 0);
      assert.match(await page.innerText('header'), /read only/);
    }
  });

  it('[X-1] a change in the log leads to what it happened to: a memo, or the decision that has the evidence', async (test) => {
    const { page, go, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    const firstOf = async (kind: string) => {
      const { body } = await server.api('narae/timeline', { kind: [kind], limit: 1 });
      return (body.entries as unknown as { id: string; topic?: string }[])[0] ?? assert.fail(kind);
    };
    const memo = await firstOf('memo');
    await server.api('narae/memo_edit', { infoId: memo.id, fullText: 'What was noted, said better' });
    await server.api('narae/evidence_save', { decisionRef: TOPIC, content: 'Said by mistake' });
    await server.api('narae/undo', {});
    for (const [nth, view, shown] of [
      [0, ADDRESS, 'h1:text-is("ops:oncall")'],
      [1, `#/m/${memo.id}`, 'text=What was noted, said better'],
    ] as const) {
      await go('#/changes?q=kind:change');
      await page.click(`main .head a >> nth=${nth}`);
      await until(() => page.url().endsWith(view));
      await page.waitForSelector(`main >> ${shown}`);
    }
  });

  it('[X-3] records an outcome and adds evidence, each after a question, and takes back the last', async (test) => {
    const { page, go, close, said } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    await go(ADDRESS);
    await page.click(button('Record an outcome'));
    await page.click(button('Cancel'));
    assert.equal((await shown()).versions[0]?.outcomes.length, 0);
    await page.click(button('Record an outcome'));
    await page.click(`dialog ${button('Record an outcome')}`);
    assert.equal(await page.locator('dialog[open]').count(), 1, 'no outcome is chosen for a person');
    await page.selectOption('dialog select', 'failed');
    await page.fill('dialog textarea', 'Nobody woke up');
    assert.match(await page.innerText('dialog'), /ops:oncall/);
    await page.click(`dialog ${button('Record “failed”')}`);
    await page.waitForSelector('.alarm >> text=Nobody woke up');
    assert.deepEqual((await shown()).versions[0]?.outcomes[0]?.reason, 'Nobody woke up');
    await page.click(button('Add evidence'));
    await page.fill('dialog textarea', 'The log of May');
    await page.click(`dialog ${button('Add evidence')}`);
    await page.waitForSelector('blockquote >> text=The log of May');
    await page.click(button('Undo'));
    await page.click(`dialog ${button('Undo')}`);
    await page.waitForSelector('text=Undone.');
    await until(async () => (await page.locator('blockquote').count()) === 0);
    assert.equal((await shown()).evidence.length, 0);
    assert.deepEqual(said, []);
  });

  it('[X-3] withdraws with a reason, and brings back what it withdrew', async (test) => {
    const { page, go, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    await go(ADDRESS);
    await page.click(button('Withdraw'));
    await page.click(`dialog ${button('Withdraw')}`);
    assert.equal(await page.locator('dialog[open]').count(), 1, 'a reason is needed');
    await page.fill('dialog textarea', 'The team is larger now');
    await page.click(`dialog ${button('Withdraw')}`);
    await page.waitForSelector('.badge.withdrawn');
    assert.equal((await shown()).versions[0]?.status, 'withdrawn');
    await page.click(button('Undo'));
    await page.click(`dialog ${button('Undo')}`);
    await until(async () => (await shown()).versions[0]?.status === 'active');
    await page.waitForSelector(button('Withdraw'));
  });

  it('[V-3] the first view has what agents saved: undone, bound and kept with a button each, and reverted', async (test) => {
    const save = (topic: string, decision: string) =>
      server.api('narae/mama_save', { topic, decision }, server.tokens.program);
    await save('desk:height', 'Desks are seventy-two centimetres high');
    await save('desk:lamp', '책상 등은 왼쪽에 둔다');
    const { page, settled, close, said } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    const row = (topic: string) =>
      page.locator('#waiting ~ details li', { has: page.locator(`a:text-is("${topic}")`) });
    const topics = async () => {
      const { decisions } = (await server.api('narae/decision_list', { filter: 'topic:desk:lamp' })).body as {
        decisions?: { strength: string; via?: string }[];
      };
      return decisions?.map(({ strength, via }) => [strength, via]);
    };
    assert.match(await row('desk:lamp').innerText(), /책상 등은 왼쪽에 둔다/);
    await row('desk:lamp').locator(button('Undo it')).click();
    await until(async () => (await row('desk:lamp').count()) === 0);
    assert.deepEqual(await topics(), []);
    await page.click(`main .home [aria-busy] > p ${button('Undo')}`);
    await until(async () => (await row('desk:lamp').count()) === 1);
    await settled();
    await row('desk:lamp').locator(button('Make it a lock')).click();
    await until(async () => (await row('desk:lamp').count()) === 0);
    assert.deepEqual(await topics(), [['lock', 'page']]);
    const long = `Desks have ${'wide and '.repeat(60)}flat tops`;
    await save('desk:top', long);
    await page.reload();
    await row('desk:top').locator(button('Edit')).click();
    const written = page.locator('dialog label:has-text("The decision") textarea');
    await written.fill(`${await written.inputValue()} of oak`);
    await page.click(`dialog ${button('Save')}`);
    await until(async () => (await row('desk:top').count()) === 0);
    const { body } = await server.api('narae/decision_get', { id: 'desk:top' });
    assert.equal((body.decision as unknown as { text: string }).text, `${long} of oak`);
    await row('desk:height').locator(button('Keep')).click();
    await until(async () => (await row('desk:height').count()) === 0);
    await settled();
    assert.deepEqual(said, []);
  });

  it('[V-3] a token that may only read sees what waits, and no button', async (test) => {
    const { page, close } = await openTab(browser, server.url, server.tokens.reader);
    test.after(close);
    assert.match(await page.innerText('main'), /How did these turn out\?/);
    assert.equal(await page.locator(button('It worked')).count(), 0);
  });

  it('[X-1] an empty memory shows the command that saves the first decision, to be copied', async (test) => {
    const empty = await serving(folders[2], { all: { person: true } }, { page: pageOf(true) });
    test.after(() => empty.close());
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, close } = await openTab(browser, empty.url, empty.tokens.all, { permissions });
    test.after(close);
    await page.click(button('Copy the command'));
    await page.waitForSelector('text=Copied');
    assert.match(
      await page.evaluate<string>('navigator.clipboard.readText()'),
      /^precedent decide api:page /,
    );
  });

  it('[CC-1] [X-3] says that both hold of what may still say the old, in English and Korean', async (test) => {
    const save = async (topic: string, decision: string) =>
      (await server.api('narae/mama_save', { topic, decision })).body as unknown as { id: string };
    await save('price:cache', 'Responses of the price API are cached for 10 minutes');
    const twin = 'Show the sale banner at once; the price API caches its responses for ten minutes';
    await save('shop:banner', twin);
    await save('shop:ribbon', twin.replace('banner', 'ribbon'));
    const content = `${twin.replace('banner', 'flag')}. ${'It is slow. '.repeat(300).trim()}`;
    const { body: note } = await server.api('narae/mem_save', { title: 'Flag', content });
    const { id } = await save('price:cache', 'Responses of the price API are cached for 5 minutes');
    const { page, go, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    const reasonOf = async (topic: string) => {
      if (topic === 'Flag') {
        const { body } = await server.api('narae/show', { ref: `#${note.id}` });
        return (body.observation as unknown as { content: string }).content.replace(`${content}\n`, '');
      }
      const { body } = await server.api('narae/decision_get', { id: topic });
      return (body.decision as unknown as { reasoning: string | null }).reasoning;
    };
    await go('#/');
    for (const [topic, label, heading] of [
      ['Flag', 'Both hold', 'These may still say what was replaced'],
      ['shop:banner', 'Both hold', 'These may still say what was replaced'],
      ['shop:ribbon', '둘 다 유효', '대체된 내용이 남아 있을 수 있는 것'],
    ] as const) {
      const group = page.locator('#waiting ~ details', { hasText: heading });
      await group.first().waitFor();
      const item = group.locator('li', { has: page.locator(`a:text-is("${topic}")`) });
      await group.evaluate((details: { open?: boolean }) => {
        details.open = true;
      });
      await item.locator(button(label)).click();
      await until(async () => (await reasonOf(topic)) === `alongside: ${id}`);
      await until(async () => (await item.count()) === 0);
      if (topic === 'shop:banner') await page.click(button('한국어'));
    }
  });

  it('[CC-1] [X-3] names what still says the old after a text was corrected', async (test) => {
    const save = (topic: string, decision: string) => server.api('narae/mama_save', { topic, decision });
    await save('mail:retry', 'Mails that bounce are sent again after 20 minutes');
    await save('mail:queue', 'Mails that bounce wait in the queue and are sent again after twenty minutes');
    const { page, go, close, said } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    await go('#/d/mail%3Aretry');
    await page.click(button('Correct the text'));
    await page
      .getByLabel('The decision', { exact: true })
      .fill('Mails that bounce are sent again after 40 minutes');
    await page.click(`dialog ${button('Save')}`);
    await page.waitForSelector('main .acts [role=status] :text("still says what you replaced: mail:queue")');
    assert.deepEqual(said, []);
  });

  it('[TR-8] [TR-3] corrects the text of a decision as a tidying, and keeps the form if the server refuses', async (test) => {
    const { page, go, close, said } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    const save = (decision: string) => server.api('narae/mama_save', { topic: 'desk:plant', decision });
    const read = async () =>
      (await server.api('narae/decision_get', { id: 'desk:plant' })).body.decision as unknown as {
        text: string;
        outcome: string;
        createdAt: string;
        reasoning: string | null;
        tidied?: { how: string };
      };
    await save('Plants are waterd on Monday');
    await server.api('narae/mama_update', { id: 'desk:plant', outcome: 'success' });
    const { createdAt } = await read();
    await go('#/d/desk%3Aplant');
    await page.click(button('Correct the text'));
    const text = page.getByLabel('The decision', { exact: true });
    assert.equal(await text.inputValue(), 'Plants are waterd on Monday');
    await text.fill('Plants are watered on Monday');
    // Somebody else decides in the meantime.
    await save('Plants are watered on Tuesday');
    await page.click(`dialog ${button('Save')}`);
    await page.waitForSelector('dialog [role=alert]');
    assert.equal(await text.inputValue(), 'Plants are watered on Monday', 'nothing that was typed is lost');
    await page.click(`dialog ${button('Cancel')}`);
    await server.api('narae/undo', {});
    await go('#/d/desk%3Aplant?again');
    await page.click(button('Correct the text'));
    await text.fill('Plants are watered on Monday');
    await page.click(`dialog ${button('Save')}`);
    await page.waitForSelector('.statement >> text=Plants are watered on Monday');
    const { text: now, outcome, tidied, createdAt: since } = await read();
    assert.deepEqual(
      [now, outcome, tidied?.how, since],
      ['Plants are watered on Monday', 'success', 'worded', createdAt],
    );
    await page.click(button('Undo'));
    await page.click(`dialog ${button('Undo')}`);
    await until(async () => (await read()).text === 'Plants are waterd on Monday');
    // A text that does not say the same any more is decided anew.
    await page.waitForSelector('text=Undone.');
    await page.click(button('Correct the text'));
    await text.fill('Plants are watered on Friday');
    await page.getByRole('textbox', { name: 'Why' }).fill('Nobody is here on Monday');
    await page.click('dialog input[type=checkbox]');
    await page.click(`dialog ${button('Save')}`);
    await page.waitForSelector('.statement >> text=on Friday');
    const { reasoning, tidied: none, outcome: pending } = await read();
    assert.deepEqual([reasoning, none, pending], ['Nobody is here on Monday', undefined, null]);
    assert.deepEqual(
      said.filter((each) => !/409/.test(each)),
      [],
    );
  });

  it('[TR-8] [X-2] corrects a note and a memo by touch on a phone in Korean, and by the keyboard', async (test) => {
    const saved = async (name: string, input: object) =>
      (await server.api(`narae/${name}`, input)).body as unknown as { id: number; infoId: string };
    const { id } = await saved('mem_save', {
      title: '책상 배치',
      content: '창가 자리는 조용한 사람을 위한 곳',
    });
    const { infoId } = await saved('memo_save', {
      fullText: '커피는 매주 화요일에 주문',
      keywords: ['커피'],
    });
    const options = { viewport: { width: 390, height: 844 }, locale: 'ko-KR', hasTouch: true } as const;
    const { page, go, close, said } = await openTab(browser, server.url, server.tokens.all, options);
    test.after(close);
    await go(`#/o/${id}`);
    await page.tap(button('글 고치기'));
    await page.getByLabel('내용').fill('창가 자리는 조용히 일하는 사람을 위한 곳');
    await page.tap(`dialog ${button('저장')}`);
    await page.waitForSelector('main >> text=조용히 일하는');
    await page.waitForSelector('main >> text=저장했습니다.');
    await page.tap(button('되돌리기'));
    await page.tap(`dialog ${button('되돌리기')}`);
    await page.waitForSelector('main >> text=조용한 사람을');
    await go(`#/m/${infoId}`);
    await page.locator(button('글 고치기')).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('커피는 매주 수요일에 주문');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('main >> text=수요일에');
    assert.deepEqual(said, []);
  });

  it('[RE-16] gives an old rule hints in the review', async (test) => {
    const rule = { topic: 'desk:floor', decision: 'Nothing stands on the floor', strength: 'lock' };
    await server.api('narae/mama_save', { ...rule, date: '2026-01-01' });
    const { page, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    const group = page.locator('#waiting ~ details', { hasText: 'These bind, and no hints recall them' });
    await group.locator('summary').click();
    const row = group.locator('li', { has: page.locator('a:text-is("desk:floor")') });
    await row.locator(button('Add hints')).click();
    const text = page.getByLabel('How would somebody ask for what it rules out?');
    await text.fill('the');
    await page.click(`dialog ${button('Save')}`);
    await page.waitForSelector('dialog [role=alert] >> text=Left out');
    await text.fill('바닥에 두기\nput boxes down');
    await page.click(`dialog ${button('Save')}`);
    await until(async () => (await row.count()) === 0);
    const { body } = await server.api('narae/decision_get', { id: 'desk:floor' });
    assert.deepEqual(body.hints, ['바닥에 두기', 'put boxes down']);
  });

  it('[TR-8] an edit in the review begins with the whole text, however long', async (test) => {
    const content = `${'Desks are cleaned by those who use them. '.repeat(20)}Wipes are in the store.`;
    const note = { title: 'Clean desks', content };
    const { id } = (await server.api('narae/mem_save', note, server.tokens.program)).body as unknown as {
      id: number;
    };
    const { page, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    const row = page.locator('#waiting ~ details li', { has: page.locator('a:text-is("Clean desks")') });
    await row.locator(button('Edit')).click();
    const text = page.getByLabel('Text', { exact: true });
    assert.equal(await text.inputValue(), content);
    await text.fill(content.replace('store', 'kitchen'));
    await page.click(`dialog ${button('Save')}`);
    await until(async () => (await row.count()) === 0);
    const { body } = await server.api('narae/mem_get_observation', { id });
    assert.match(JSON.stringify(body), /Wipes are in the kitchen/);
  });

  it('[X-3] nothing is written about the past', async (test) => {
    const { page, go, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    await go(`${ADDRESS}?at=2026-11-10`);
    assert.equal(await page.locator(button('Withdraw')).count(), 0);
  });

  it('[V-3] with nothing to look at the first view is what binds, of everywhere first, then what failed', async (test) => {
    for (let left = 1; left > 0; ) {
      const { groups } = (await server.api('narae/review', { limit: 1000 })).body as {
        groups?: { items: { key: string }[] }[];
      };
      const keys = groups?.flatMap(({ items }) => items.map(({ key }) => key)) ?? [];
      left = keys.length;
      if (left > 0) await server.api('narae/reviewed', { keys, back: false });
    }
    const { page, go, close } = await openTab(browser, server.url, server.tokens.reader);
    test.after(close);
    const topics = () => page.locator('section:has(#binding) .head a').allInnerTexts();
    assert.match(
      (await page.locator('main h2').allInnerTexts()).join(),
      /^Rules .*,Recent failures \d+ of \d+,/,
    );
    assert.deepEqual((await topics()).slice(0, 3), ['global:language', 'global:time', 'auth:admin']);
    await go('#/?at=2026-10-10');
    assert.deepEqual((await topics()).slice(0, 2), ['global:language', 'global:time']);
  });
});
