"use strict";
// The animation page: mechanics first (pure functions), then the picture, then the controls.

// Numbers of the page

const decode = (text, Type) => {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  return new Type(bytes.buffer);
};

// Mechanics: an element as it was computed, in its chord frame (docs/section-forces.md)

// Deflection from the chord and displacement along it at xi: [x + u, v], m.
const alongAndAcross = (xi, length, alpha, chord, theta0, theta1) => {
  const c0 = (theta0 * (1 + alpha) + theta1 * (alpha - 1)) / 2;  // v' = c0 + c1 xi + c2 xi^2
  const c1 = -theta0 * (1 + 3 * alpha) + theta1 * (1 - 3 * alpha);
  const c2 = 3 * alpha * (theta0 + theta1);
  const shortening = x => length / 2 * x * (c0 * c0 + x * (c0 * c1 + x * (
    (c1 * c1 + 2 * c0 * c2) / 3 + x * (c1 * c2 / 2 + x * c2 * c2 / 5))));
  const strain = (chord - length + shortening(1)) / length;
  return [(1 + strain) * xi * length - shortening(xi),
          length * xi * (c0 + xi * (c1 / 2 + xi * c2 / 3))];
};

// The structure as it is in a frame.
class Scene {
  constructor(data) {
    this.data = data;
    this.frames = data.times.length;
    this.count = data.points.length;
    this.start = decode(data.start, Float64Array);      // [points, 2]
    this.moved = decode(data.moved, Float32Array);      // [frames, points, 2]
    this.rods = data.rods.map(rod => ({...rod, theta: decode(rod.theta, Float32Array)}));
    this.hinges = data.hinges.map(h => ({...h, state: decode(h.state, Uint8Array),
                                         angle: decode(h.angle, Float64Array)}));
    this.bodies = data.bodies.map(b => ({...b, angle: decode(b.angle, Float64Array),
                                         center: decode(b.center, Float64Array)}));
  }

  displacement(frame, point) {
    const k = 2 * (frame * this.count + point);
    return [this.moved[k], this.moved[k + 1]];
  }

  place(frame, point) {
    const [x, y] = this.displacement(frame, point);
    return [this.start[2 * point] + x, this.start[2 * point + 1] + y];
  }

  // A point of a rod: at xi of an element.
  onRod(frame, rod, element, xi) {
    const [x0, y0] = this.place(frame, rod.nodes[element]);
    const [x1, y1] = this.place(frame, rod.nodes[element + 1]);
    const chord = Math.hypot(x1 - x0, y1 - y0);
    const k = 2 * (frame * (rod.nodes.length - 1) + element);
    const [along, across] = alongAndAcross(xi, rod.length / (rod.nodes.length - 1), rod.alpha,
                                           chord, rod.theta[k], rod.theta[k + 1]);
    const c = (x1 - x0) / chord, s = (y1 - y0) / chord;
    return [x0 + c * along - s * across, y0 + s * along + c * across];
  }

  rodLine(frame, rod) {
    const elements = rod.nodes.length - 1, pieces = this.pieces(rod), line = [];
    for (let e = 0; e < elements; ++e)
      for (let i = 0; i < pieces; ++i)
        line.push(i ? this.onRod(frame, rod, e, i / pieces) : this.place(frame, rod.nodes[e]));
    line.push(this.place(frame, rod.nodes[elements]));
    return line;
  }

  pieces(rod) {
    return Math.min(32, Math.max(2, Math.ceil(160 / (rod.nodes.length - 1))));
  }

  center(frame, body) {
    return body.center.length ? [body.center[2 * frame], body.center[2 * frame + 1]] : null;
  }

  bodyCorners(frame, body) {
    const corners = body.points.map(p => this.place(frame, p));
    const center = this.center(frame, body);
    if (corners.length === 1 && center) corners.push(center);
    return hull(corners.filter(finite));
  }

  // The frame that has begun at a share of the whole clock.
  frameAt(share) {
    let low = 0, high = this.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.data.clock[middle] <= share + 1e-12) low = middle; else high = middle - 1;
    }
    return low;
  }

  // What lies nearest to a place (m) within a distance (m): points and centres go before rods.
  nearest(frame, [x, y], reach) {
    let best = null;
    const offer = (at, found) => {
      const distance = Math.hypot(at[0] - x, at[1] - y);
      if (distance < (best ? best.distance : reach)) best = {...found, distance, at};
    };
    this.data.points.forEach((point, i) => {
      if (point.named) offer(this.place(frame, i), {kind: "point", point: i});
    });
    this.bodies.forEach(body => {
      const at = this.center(frame, body);
      if (at) offer(at, {kind: "body", body});
    });
    if (best) return best;
    for (const rod of this.rods) {
      const pieces = this.pieces(rod);
      for (let e = 0; e + 1 < rod.nodes.length; ++e)
        for (let i = 0; i <= pieces; ++i)
          offer(this.onRod(frame, rod, e, i / pieces),
                {kind: "rod", rod, element: e, xi: i / pieces});
    }
    return best;
  }
}

const finite = p => Number.isFinite(p[0]) && Number.isFinite(p[1]);

// Convex hull, counter-clockwise; two corners or one where the points lie on a line or meet.
const hull = points => {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .filter((p, i, all) => !i || p[0] !== all[i - 1][0] || p[1] !== all[i - 1][1]);
  if (sorted.length < 3) return sorted;
  const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const chain = ordered => {
    const kept = [];
    for (const p of ordered) {
      while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], p) <= 0)
        kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
};

const niceStep = exact => {
  const power = 10 ** Math.floor(Math.log10(exact));
  return power * [1, 2, 5, 10].find(digit => digit * power >= exact * 0.999999);
};

// Numbers in words: six figures, no trailing zeros, a true minus.
const amount = (value, digits = 6) => {
  if (!Number.isFinite(value)) return "not finite";
  return String(Number(value.toPrecision(digits))).replace(/^-/, "\u2212");
};

// The picture

const INK = "#222222", BLUE = "#0072B2", ORANGE = "#E69F00", GREY = "#9A9A9A";
const STATES = ["free", "held", "latched", "jammed", "on its lower stop", "on its upper stop"];

class Picture {
  constructor(canvas, scene) {
    this.canvas = canvas;
    this.scene = scene;
    this.pen = canvas.getContext("2d");
    this.show = {names: true, trails: true, start: true};
    this.reset();
  }

  reset() { this.view = null; }

  // Pixels of the page: metres are [(x - left) scale, (top - y) scale] in them.
  fit() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (this.view) return;
    const [x0, y0, x1, y1] = this.scene.data.bounds;
    const inside = [this.width - 70, this.height - 60];
    const scale = Math.min(inside[0] / (x1 - x0), inside[1] / (y1 - y0));
    this.view = {scale, left: (x0 + x1) / 2 - (inside[0] / 2 + 55) / scale,
                 top: (y0 + y1) / 2 + (inside[1] / 2 + 15) / scale};
  }

  pixel([x, y]) {
    return [(x - this.view.left) * this.view.scale, (this.view.top - y) * this.view.scale];
  }

  metre([x, y]) {
    return [this.view.left + x / this.view.scale, this.view.top - y / this.view.scale];
  }

  zoom(factor, [px, py]) {
    const [x, y] = this.metre([px, py]);
    this.view.scale *= factor;
    this.view.left = x - px / this.view.scale;
    this.view.top = y + py / this.view.scale;
  }

  line(points, {color = INK, width = 1, dash = [], fill = null, close = false} = {}) {
    const pen = this.pen;
    pen.beginPath();
    let down = false;
    for (const point of points) {
      if (!finite(point)) { down = false; continue; }
      const [x, y] = this.pixel(point);
      if (down) pen.lineTo(x, y); else pen.moveTo(x, y);
      down = true;
    }
    if (close) pen.closePath();
    if (fill) { pen.fillStyle = fill; pen.fill(); }
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.lineJoin = pen.lineCap = "round";
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
  }

  disc(point, radius, {face = "white", edge = BLUE, width = 1.5} = {}) {
    if (!finite(point)) return;
    const [x, y] = this.pixel(point), pen = this.pen;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    if (face) { pen.fillStyle = face; pen.fill(); }
    pen.strokeStyle = edge;
    pen.lineWidth = width;
    pen.stroke();
  }

  text(words, x, y, {align = "center", base = "middle", color = INK, halo = false,
                     font = "12px sans-serif"} = {}) {
    const pen = this.pen;
    pen.font = font;
    pen.textAlign = align;
    pen.textBaseline = base;
    if (halo) { pen.strokeStyle = "white"; pen.lineWidth = 3; pen.strokeText(words, x, y); }
    pen.fillStyle = color;
    pen.fillText(words, x, y);
  }

  grid() {
    const {width, height} = this, pen = this.pen, unit = this.scene.data.unit;
    const step = niceStep(80 / this.view.scale);
    const [x0, y1] = this.metre([0, 0]), [x1, y0] = this.metre([width, height]);
    const label = value => amount(Math.abs(value) < step / 1e6 ? 0 : value, 8);
    const rule = (a, b, c, d) => {
      pen.beginPath(); pen.moveTo(a, b); pen.lineTo(c, d);
      pen.strokeStyle = "#DDDDDD"; pen.lineWidth = 1; pen.stroke();
    };
    for (let x = Math.ceil(x0 / step) * step; x <= x1; x += step)
      rule(this.pixel([x, 0])[0], 0, this.pixel([x, 0])[0], height);
    for (let y = Math.ceil(y0 / step) * step; y <= y1; y += step)
      rule(0, this.pixel([0, y])[1], width, this.pixel([0, y])[1]);
    for (let x = Math.ceil(x0 / step) * step; x <= x1; x += step) {
      const px = this.pixel([x, 0])[0];
      if (px > 50 && px < width - 40)
        this.text(label(x), px, height - 24, {base: "top", halo: true});
    }
    for (let y = Math.ceil(y0 / step) * step; y <= y1; y += step) {
      const py = this.pixel([0, y])[1];
      if (py > 20 && py < height - 30) this.text(label(y), 48, py, {align: "right", halo: true});
    }
    this.text(`X (${unit})`, width - 8, height - 22, {align: "right", base: "top", halo: true});
    this.text(`Y (${unit})`, 8, 8, {align: "left", base: "top", halo: true});
  }

  draw(frame, found) {
    this.fit();
    this.pen.clearRect(0, 0, this.width, this.height);
    this.grid();
    if (this.show.start && frame) this.structure(0, true);
    if (this.show.trails) this.trails(frame);
    this.structure(frame, false);
    if (this.show.names) this.names(frame);
    if (found) this.disc(found.at, 9, {face: null, edge: ORANGE, width: 3});
  }

  trails(frame) {
    const {scene} = this;
    for (const point of scene.data.followed) {
      const line = [];
      for (let k = 0; k <= frame; ++k) line.push(scene.place(k, point));
      this.line(line, {color: ORANGE, width: 1});
    }
  }

  structure(frame, ghost) {
    const {scene} = this, color = ghost ? GREY : BLUE;
    for (const body of scene.bodies) {
      const corners = scene.bodyCorners(frame, body);
      if (corners.length > 2)
        this.line(corners, {color, width: ghost ? 1 : 1.5, close: true,
                            fill: ghost ? null : "rgba(0, 114, 178, 0.25)"});
      else if (corners.length === 2)
        this.line(corners, {color: ghost ? "rgba(154, 154, 154, 0.5)" : "rgba(0, 114, 178, 0.45)",
                            width: ghost ? 3 : 6});
    }
    for (const rod of scene.rods)
      this.line(scene.rodLine(frame, rod), {color, width: ghost ? 1.2 : 2.5,
                                            dash: ghost ? [6, 4] : []});
    if (ghost) return;
    for (const spring of scene.data.springs) this.spring(frame, spring.points);
    for (const support of scene.data.supports)
      this.support(scene.place(frame, support.point), support.angle);
    for (const body of scene.bodies) this.massCenter(scene.center(frame, body));
    for (const point of scene.data.dots) this.disc(scene.place(frame, point), 3, {face: BLUE});
    for (const point of scene.data.particles)
      this.disc(scene.place(frame, point), 5.5, {face: BLUE});
    for (const hinge of scene.hinges) {
      const at = scene.place(frame, hinge.point), locked = [1, 2, 3].includes(hinge.state[frame]);
      if (hinge.sprung) this.disc(at, 7.5, {face: null, width: 1});
      this.disc(at, 4, {face: locked ? BLUE : "white"});
    }
  }

  spring(frame, [first, second]) {
    const a = this.scene.place(frame, first), b = this.scene.place(frame, second);
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy);
    const wide = length ? 5 / this.view.scale / length : 0, coils = 12, line = [a];
    const at = (share, side) => [a[0] + share * dx - side * wide * dy,
                                 a[1] + share * dy + side * wide * dx];
    line.push(at(0.18, 0));
    for (let k = 0; k < coils; ++k) line.push(at(0.18 + 0.64 * (k + 0.5) / coils, k % 2 ? -1 : 1));
    this.line([...line, at(0.82, 0), b], {width: 1.2});
  }

  support(point, angle) {
    if (!finite(point)) return;
    const [x, y] = this.pixel(point), pen = this.pen, size = 18;
    const path = angle ? [[-0.8, -0.12], [0.8, -0.12], [0.8, 0.12], [-0.8, 0.12], [-0.8, -0.12]]
      : [[0, 0], [-0.5, -0.8], [0.5, -0.8], [0, 0]];
    const ground = angle ? -0.12 : -0.8;
    pen.beginPath();
    path.forEach(([a, b], i) => i ? pen.lineTo(x + size * a, y - size * b)
      : pen.moveTo(x + size * a, y - size * b));
    pen.fillStyle = "white";
    pen.fill();
    pen.moveTo(x - 0.8 * size, y - size * ground);
    pen.lineTo(x + 0.8 * size, y - size * ground);
    for (const a of [-0.5, -0.1, 0.3, 0.7]) {
      pen.moveTo(x + size * a, y - size * ground);
      pen.lineTo(x + size * (a - 0.3), y - size * (ground - 0.35));
    }
    pen.strokeStyle = INK;
    pen.lineWidth = 1.2;
    pen.stroke();
  }

  massCenter(point) {
    if (!point || !finite(point)) return;
    const [x, y] = this.pixel(point), pen = this.pen;
    this.disc(point, 6.5, {edge: INK, width: 1.2});
    pen.fillStyle = INK;
    for (const begin of [-Math.PI / 2, Math.PI / 2]) {
      pen.beginPath();
      pen.moveTo(x, y);
      pen.arc(x, y, 6.5, begin, begin + Math.PI / 2);
      pen.fill();
    }
  }

  // Names of points; those that meet share a line.
  names(frame) {
    const groups = [];
    for (const i of this.scene.data.labelled) {
      const place = this.scene.place(frame, i);
      if (!finite(place)) continue;
      const [x, y] = this.pixel(place);
      const group = groups.find(g => Math.hypot(g.x - x, g.y - y) < 9);
      if (group) group.names.push(this.scene.data.points[i].name);
      else groups.push({x, y, names: [this.scene.data.points[i].name]});
    }
    const font = "bold 13px sans-serif";
    for (const {x, y, names} of groups) {
      const words = names.join(", ");
      this.pen.font = font;
      // At the left of its point where it would leave the picture at the right.
      const left = x + 9 + this.pen.measureText(words).width > this.width;
      this.text(words, x + (left ? -9 : 9), y - 10, {align: left ? "right" : "left", halo: true,
                                                    font});
    }
  }
}

// What the hand points at, in words: [heading, [[quantity, value]]]

const describe = (scene, frame, found) => {
  const {unit} = scene.data, value = scene.data.times[frame];
  const clock = [scene.data.timeName, `${amount(value)} ${scene.data.timeUnit}`.trim()];
  const vector = ([x, y]) => `${amount(x)}, ${amount(y)} ${unit}`;
  const size = ([x, y]) => `${amount(Math.hypot(x, y))} ${unit}`;
  if (found.kind === "point") {
    const moved = scene.displacement(frame, found.point);
    const lines = [clock, ["position", vector(scene.place(frame, found.point))],
                   ["displacement", vector(moved)], ["its size", size(moved)]];
    for (const hinge of scene.hinges)
      if (hinge.point === found.point)
        lines.push([`hinge ${hinge.name}`,
                    `${amount(hinge.angle[frame])} rad, ${STATES[hinge.state[frame]]}`]);
    return [`point ${scene.data.points[found.point].name}`, lines];
  }
  if (found.kind === "body") {
    const body = found.body, start = scene.center(0, body);
    const moved = [found.at[0] - start[0], found.at[1] - start[1]];
    return [`body ${body.name}, centre of mass`,
            [clock, ["position", vector(found.at)], ["displacement", vector(moved)],
             ["its size", size(moved)], ["angle", `${amount(body.angle[frame])} rad`]]];
  }
  const {rod, element, xi} = found;
  const start = scene.onRod(0, rod, element, xi);
  const moved = [found.at[0] - start[0], found.at[1] - start[1]];
  const arc = (element + xi) * rod.length / (rod.nodes.length - 1);
  return [`rod ${rod.name}, s = ${amount(arc, 4)} ${unit}`,
          [clock, ["position", vector(found.at)], ["displacement", vector(moved)],
           ["its size", size(moved)]]];
};

// The controls

const start = () => {
  const element = id => document.getElementById(id);
  const scene = new Scene(JSON.parse(element("data").textContent));
  const picture = new Picture(element("picture"), scene);
  const {data} = scene;
  let frame = 0, clock = 0, playing = false, last = null, hand = null;

  const seconds = () => data.seconds / Number(element("speed").value);

  const update = () => {
    picture.fit();
    const found = hand && scene.nearest(frame, picture.metre(hand), 14 / picture.view.scale);
    picture.draw(frame, found);
    const value = data.times[frame];
    element("clock").textContent =
      `${data.timeSign} = ${value.toFixed(data.decimals)} ${data.timeUnit}`.trim();
    element("frame").textContent = `frame ${frame + 1} of ${scene.frames}`;
    const events = data.events.filter(e => scene.frameAt(e.clock) === frame)
      .map(e => `${e.name}: ${e.what}`);
    element("event").textContent = events.slice(0, 3).join("; ");
    element("scrub").value = frame;
    element("play").textContent = playing ? "\u275A\u275A" : "\u25B6";
    element("play").setAttribute("aria-label", playing ? "pause" : "play");
    const tip = element("tip");
    tip.hidden = !found;
    if (!found) return;
    const [heading, lines] = describe(scene, frame, found);
    tip.replaceChildren();
    const title = document.createElement("b");
    title.textContent = heading;
    tip.append(title);
    for (const [name, words] of lines) {
      const line = document.createElement("div");
      line.textContent = `${name}: ${words}`;
      tip.append(line);
    }
    const right = hand[0] > picture.width / 2, low = hand[1] > picture.height / 2;
    tip.style.left = right ? "auto" : `${hand[0] + 16}px`;
    tip.style.right = right ? `${picture.width - hand[0] + 16}px` : "auto";
    tip.style.top = low ? "auto" : `${hand[1] + 12}px`;
    tip.style.bottom = low ? `${picture.height - hand[1] + 12}px` : "auto";
  };

  const show = number => {
    frame = Math.min(Math.max(Math.round(number), 0), scene.frames - 1);
    clock = data.clock[frame];
    update();
  };

  const tick = now => {
    if (!playing) return;
    if (last !== null) clock += (now - last) / 1000 / seconds();
    last = now;
    if (clock >= 1) {
      if (element("loop").checked) clock %= 1;
      else { clock = 1; playing = false; }
    }
    frame = scene.frameAt(clock);
    update();
    if (playing) requestAnimationFrame(tick);
  };

  const play = on => {
    playing = on && scene.frames > 1;
    last = null;
    if (playing && clock >= 1) clock = 0;
    if (playing) requestAnimationFrame(tick);
    update();
  };

  element("scrub").max = scene.frames - 1;
  element("scrub").addEventListener("input", event => {
    const asked = Number(event.target.value);  // before the pause sets the slider to its frame
    play(false);
    show(asked);
  });
  element("play").addEventListener("click", () => play(!playing));
  for (const key of ["names", "trails", "start"])
    element(key).addEventListener("change", event => {
      picture.show[key] = event.target.checked;
      update();
    });

  const canvas = element("picture");
  let dragged = null;
  canvas.addEventListener("pointermove", event => {
    hand = [event.offsetX, event.offsetY];
    if (dragged) {
      picture.view.left -= (hand[0] - dragged[0]) / picture.view.scale;
      picture.view.top += (hand[1] - dragged[1]) / picture.view.scale;
      dragged = hand;
    }
    update();
  });
  canvas.addEventListener("pointerdown", event => {
    dragged = [event.offsetX, event.offsetY];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", () => { dragged = null; });
  canvas.addEventListener("pointerleave", () => { hand = null; update(); });
  canvas.addEventListener("dblclick", () => { picture.reset(); update(); });
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    picture.zoom(Math.exp(-event.deltaY / 500), [event.offsetX, event.offsetY]);
    update();
  }, {passive: false});
  window.addEventListener("resize", () => { picture.reset(); update(); });
  document.addEventListener("keydown", event => {
    if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
    const jump = {ArrowLeft: frame - 1, ArrowRight: frame + 1, Home: 0, End: scene.frames - 1};
    if (event.key === " ") play(!playing);
    else if (event.key in jump) { play(false); show(jump[event.key]); }
    else return;
    event.preventDefault();
  });

  window.animation = {scene, picture, show, play, frame: () => frame};
  const asked = /^#frame=(\d+)$/.exec(location.hash);
  show(asked ? Number(asked[1]) - 1 : 0);
};

if (typeof document !== "undefined") start();
if (typeof module !== "undefined") module.exports = {alongAndAcross, hull, niceStep, amount, Scene};
