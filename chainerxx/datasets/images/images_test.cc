// SPDX-License-Identifier: MIT
// The files in testdata, and what the Python Imaging Library reads and resizes: make_images.py.
#include "chainerxx/datasets/images/images.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "chainerxx/datasets/datasets.h"
#include "chainerxx/iterators/iterators.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::datasets {
namespace {

namespace cp = cupyxx;
using cp::testing::expect_allclose;
using cp::testing::expect_array_equal;
using cp::testing::expect_elements;
using cp::testing::expect_error;

std::string data(const std::string& name) { return "chainerxx/datasets/images/testdata/" + name; }

std::string bytes(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Rows of pixels as (3, height, width).
ndarray expected(const std::string& name, std::int64_t height, std::int64_t width) {
  const std::string all = bytes(data(name));
  const ndarray flat = cp::array(std::vector<std::uint8_t>(all.begin(), all.end()));
  return flat.reshape({height, width, 3}).transpose({2, 0, 1}).copy(cp::Order::C);
}

constexpr std::int64_t kHeight = 17, kWidth = 23;

TEST(ReadImage, GivesThePixels) {
  for (const char* name : {"rgb.jpg", "progressive.jpg", "gray.jpg", "rgb.png", "palette.png",
                           "alpha.png", "one_bit.png", "gray.png"}) {
    SCOPED_TRACE(name);
    const ndarray image = read_image(data(name));
    EXPECT_EQ(image.dtype(), cp::uint8);
    expect_array_equal(image, expected(std::string(name) + ".rgb", kHeight, kWidth));
  }
  const ndarray rgb = expected("rgb.png.rgb", kHeight, kWidth);
  expect_array_equal(read_image(data("interlaced.png")), rgb);
  expect_array_equal(read_image(data("sixteen.png")), rgb);
  // Inks become colours by a product, which is rounded here and there differently.
  const ndarray ink = read_image(data("cmyk.jpg"));
  expect_allclose(ink.astype(cp::float32),
                  expected("cmyk.jpg.rgb", kHeight, kWidth).astype(cp::float32), 0, 2);
}

TEST(ReadImage, GivesBrightness) {
  const ndarray gray = read_image(data("gray.png"), ImageMode::gray);
  EXPECT_EQ(gray.shape(), (cp::Shape{1, kHeight, kWidth}));
  expect_array_equal(gray(0), expected("gray.png.rgb", kHeight, kWidth)(0));
  expect_array_equal(read_image(data("gray.jpg"), ImageMode::gray)(0),
                     expected("gray.jpg.rgb", kHeight, kWidth)(0));
  // gray.png was made of rgb.png by the same rule.
  expect_array_equal(read_image(data("rgb.png"), ImageMode::gray), gray);
  EXPECT_EQ(read_image(data("rgb.jpg"), ImageMode::gray).shape(0), 1);
  EXPECT_EQ(read_image(data("cmyk.jpg"), ImageMode::gray).shape(0), 1);
}

TEST(ReadImage, NamesWhatIsDamaged) {
  expect_error<cp::IOError>([] { read_image("none.jpg"); },
                            "none.jpg: cannot be read; No such file or directory");
  expect_error<cp::IOError>([] { decode_image("GIF89a", "a.gif"); },
                            "a.gif: is no image; it begins neither as JPEG nor as PNG");
  expect_error<cp::IOError>([] { decode_image("", "empty"); }, "empty: is no image");
  for (const char* name : {"rgb.jpg", "progressive.jpg", "rgb.png", "interlaced.png"}) {
    const std::string whole = bytes(data(name));
    for (std::size_t size = 8; size + 12 < whole.size(); size += 7) {
      expect_error<cp::IOError>([&] { decode_image(whole.substr(0, size), "cut"); },
                                "cut: is damaged; ");
    }
  }
  std::string flipped = bytes(data("rgb.png"));
  flipped[flipped.size() / 2] ^= 0x55;
  expect_error<cp::IOError>([&] { decode_image(flipped, "flipped"); }, "flipped: is damaged; ");
  std::string huge = bytes(data("rgb.png"));
  const unsigned char extents[] = {0, 1, 0, 0, 0, 1, 0, 0, 8, 2, 0, 0, 0, 0x2b, 0, 0x9a, 0x8c};
  std::memcpy(&huge[16], extents, sizeof extents);
  expect_error<cp::IOError>([&] { decode_image(huge, "huge"); }, "huge: is damaged; ");
}

TEST(ReadImage, RefusesMorePixelsThanTheBytesCanHold) {
  std::string large = bytes(data("gray.jpg"));
  const std::size_t frame = large.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  std::memcpy(&large[frame + 5], "\x20\x00\x20\x00", 4);
  expect_error<cp::IOError>([&] { decode_image(large, "large"); },
                            "large: is damaged; " + std::to_string(large.size()) +
                                " bytes are too few for 8192 x 8192 pixels");
}

TEST(Resize, IsThatOfThePythonImagingLibrary) {
  const ndarray image = read_image(data("rgb.png"));
  for (const auto& [height, width] :
       std::vector<std::pair<int, int>>{{5, 9}, {31, 40}, {8, 23}, {1, 1}}) {
    SCOPED_TRACE(height);
    const std::string name = "resized_" + std::to_string(height) + "_" + std::to_string(width);
    // That library rounds to bytes twice, once for each direction.
    const ndarray resized = resize(image, height, width);
    EXPECT_EQ(resized.dtype(), cp::uint8);
    expect_allclose(resized.astype(cp::float32),
                    expected(name + ".rgb", height, width).astype(cp::float32), 0, 1);
    const std::string all = bytes(data(name + ".f32"));
    std::vector<float> values(all.size() / 4);
    std::memcpy(values.data(), all.data(), all.size());
    expect_allclose(resize(image.astype(cp::float32), height, width)(0),
                    cp::array(values).reshape({height, width}), 1e-5, 1e-3);
  }
  expect_array_equal(resize(image, kHeight, kWidth), image);
  EXPECT_EQ(resize_shorter(image, 34).shape(), (cp::Shape{3, 34, 46}));
  EXPECT_EQ(resize_shorter(image.transpose({0, 2, 1}), 34).shape(), (cp::Shape{3, 46, 34}));
  expect_error<cp::ValueError>([&] { resize_shorter(image, std::int64_t{1} << 62); },
                               "resize_shorter: the extents exceed 64 bits; 4611686018427387904");
}

TEST(Transforms, CutAndTurn) {
  const ndarray image = cp::arange(24, cp::uint8).reshape({2, 3, 4});
  expect_elements<int>(crop(image, 1, 2, 2, 2), {2, 2, 2}, {6, 7, 10, 11, 18, 19, 22, 23});
  expect_array_equal(center_crop(image, 1, 2), crop(image, 1, 1, 1, 2));
  expect_elements<int>(horizontal_flip(image)(0, 0), {4}, {3, 2, 1, 0});
  bool was_flipped = false, was_not = false;
  std::vector<bool> seen(4);
  for (std::uint64_t draw = 0; draw < 64; ++draw) {
    const ExampleRandomScope random(1, draw);
    const ndarray part = random_crop(image, 2, 3);
    seen[part(0, 0, 0).item<int>() == 0   ? 0
         : part(0, 0, 0).item<int>() == 1 ? 1
         : part(0, 0, 0).item<int>() == 4 ? 2
                                          : 3] = true;
    (random_flip(image)(0, 0, 0).item<int>() == 3 ? was_flipped : was_not) = true;
  }
  EXPECT_TRUE(was_flipped && was_not);
  EXPECT_EQ(seen, std::vector<bool>(4, true));
  expect_error<cp::ValueError>([&] { crop(image, 2, 0, 2, 2); },
                               "crop: 2 x 2 at 2, 0 of an image of shape (2, 3, 4)");
  expect_error<cp::ValueError>([&] { random_crop(image, 4, 1); }, "crop: 4 x 1 at 0, 0");
  expect_error<cp::ShapeError>(
      [&] { horizontal_flip(image(0)); },
      "horizontal_flip: the image has shape (3, 4), not (channels, height, width)");
  expect_error<cp::ValueError>([&] { resize(image, 0, 3); }, "of shape (2, 3, 4) to 0 x 3");
  expect_error<cp::DtypeError>([&] { resize(image.astype(cp::float64), 2, 2); },
                               "resize: an image of float64; uint8 and float32 have loops");
  expect_error<cp::ValueError>([&] { resize(ndarray(), 2, 2); }, "resize: the image is None");
}

TEST(Transforms, HaveStatistics) {
  const ndarray a = cp::array({{{1.0f, 3.0f}}, {{0.0f, 0.0f}}});
  const ndarray b = cp::array({{{5.0f}}, {{3.0f}}});
  struct Two final : Dataset {
    std::int64_t size() const override { return 2; }
    Example get_example(std::int64_t i) const override { return {i == 0 ? a : b}; }
    ndarray a, b;
  } two;
  two.a = a;
  two.b = b;
  const ImageStatistics found = mean_and_variance(two);
  expect_allclose(found.mean, cp::array({3.0, 1.0}));
  expect_allclose(found.variance, cp::array({8.0 / 3, 2.0}));
  expect_allclose(normalize(b, found)(0, 0, 0), cp::array(2 / std::sqrt(8.0 / 3)), 1e-6);
  expect_error<cp::ValueError>(
      [] {
        mean_and_variance(TupleDataset(cp::zeros({0, 1, 1, 1})));
      },
      "mean_and_variance: there are no images");
  two.b = cp::zeros({1, 1, 1});
  expect_error<cp::ValueError>([&] { mean_and_variance(two); },
                               "example 1 has 1 channels, others have 2");
  expect_error<cp::ShapeError>([&] { normalize(two.b, found); },
                               "statistics of 2 channels for an image of 1");
}

class ImageFolderTest : public ::testing::Test {
 public:
  ImageFolderTest() : root(::testing::TempDir() + "/kit_images_" + std::to_string(::getpid())) {
    for (const char* name : {"cats", "dogs", "empty"}) {
      std::filesystem::create_directories(root + "/" + name);
    }
    const auto copy = [&](const char* from, const char* to) {
      std::ofstream(root + "/" + to, std::ios::binary) << bytes(data(from));
    };
    copy("rgb.jpg", "cats/b.JPG");
    copy("rgb.png", "cats/a.png");
    copy("gray.jpg", "dogs/c.jpeg");
    std::ofstream(root + "/dogs/bad.jpg") << "no picture";
    std::ofstream(root + "/dogs/notes.txt") << "no picture";
    std::filesystem::create_directories(root + "/.cache");
    std::ofstream(root + "/.cache/a.png") << "no class";
    std::ofstream(root + "/dogs/._c.jpeg") << "what a Mac leaves";
  }
  ~ImageFolderTest() override { std::filesystem::remove_all(root); }
  std::string root;
};

TEST_F(ImageFolderTest, HasAClassForEachFolder) {
  const ImageFolder found = list_image_folder(root);
  EXPECT_EQ(found.classes, (std::vector<std::string>{"cats", "dogs", "empty"}));
  EXPECT_EQ(found.images,
            (std::vector<LabeledPath>{
                {"cats/a.png", 0}, {"cats/b.JPG", 0}, {"dogs/bad.jpg", 1}, {"dogs/c.jpeg", 1}}));
  const LabeledImageDataset images(found.images, {.root = root});
  const Example example = images[3];
  EXPECT_EQ(example[0].shape(), (cp::Shape{3, kHeight, kWidth}));
  EXPECT_EQ(example[0].dtype(), cp::float32);
  EXPECT_EQ(example[1].item<int>(), 1);
  EXPECT_EQ(example[1].dtype(), cp::int32);
  expect_error<cp::IOError>([&] { images[2]; }, "dogs/bad.jpg: is no image");
  expect_error<cp::IOError>([&] { list_image_folder(root + "/empty"); },
                            "empty: has no folders with images (.jpg, .jpeg, .png)");
  expect_error<cp::IOError>([&] { list_image_folder(root + "/none"); },
                            "none: cannot be listed; No such file or directory");
}

TEST_F(ImageFolderTest, LeavesOutWhatCannotBeRead) {
  const LabeledImageDataset images(list_image_folder(root).images,
                                   {.root = root, .bad_image = BadImage::skip});
  iterators::MultithreadIterator it(images, 4, {.repeat = false, .n_threads = 2});
  const std::vector<ndarray> batch = concat_examples(it.next());
  EXPECT_EQ(batch[0].shape(), (cp::Shape{3, 3, kHeight, kWidth}));
  expect_elements<int>(batch[1], {3}, {0, 0, 1});
  ASSERT_EQ(images.skipped().size(), 1u);
  EXPECT_EQ(images.skipped()[0],
            root + "/dogs/bad.jpg: is no image; it begins neither as JPEG nor as PNG");
}

TEST_F(ImageFolderTest, ABatchOfWhichNothingCanBeReadSaysSo) {
  const LabeledImageDataset images(list_image_folder(root).images,
                                   {.root = "/nowhere", .bad_image = BadImage::skip});
  iterators::SerialIterator it(images, 4, {.repeat = false});
  expect_error<cp::ValueError>([&] { concat_examples(it.next()); },
                               "concat_examples: the batch has no examples; those that cannot be "
                               "read were left out, if there were some: skipped() names them");
  EXPECT_EQ(images.skipped().size(), 4u);
  expect_error<cp::IndexError>([&] { images[0][0]; },
                               "example: there is no array 0; the example has none, since it "
                               "could not be read");
}

TEST_F(ImageFolderTest, ReadsLists) {
  std::ofstream(root + "/list") << "cats/a.png 3\r\n\ndogs/my dog.jpg\t-1\n";
  const LabeledImageDataset images(root + "/list", {.root = root});
  EXPECT_EQ(images.size(), 2);
  EXPECT_EQ(images[0][1].item<int>(), 3);
  expect_error<cp::IOError>([&] { images[1]; }, "dogs/my dog.jpg: cannot be read");
  std::ofstream(root + "/paths") << "cats/a.png\n" << root << "/cats/b.JPG\n";
  const ImageDataset plain(root + "/paths", {.root = root, .mode = ImageMode::gray});
  EXPECT_EQ(plain[1][0].shape(0), 1);
  std::ofstream(root + "/bad") << "cats/a.png 3\ncats/b.JPG\n";
  expect_error<cp::IOError>([&] { LabeledImageDataset(root + "/bad"); },
                            "bad: line 2 is no path with a label: \"cats/b.JPG\"");
  std::ofstream(root + "/long") << "cats/a.png 99999999999999999999\n";
  expect_error<cp::IOError>([&] { LabeledImageDataset(root + "/long"); },
                            "long: line 1 is no path with a label: \"cats/a.png 9999");
  expect_error<cp::IOError>([&] { ImageDataset(root + "/none"); }, "none: cannot be read");
  // Nobody writes to it: it must not be waited for.
  ASSERT_EQ(::mkfifo((root + "/pipe").c_str(), 0600), 0);
  expect_error<cp::IOError>([&] { ImageDataset(root + "/pipe"); }, "pipe: cannot be read");
  expect_error<cp::IOError>([&] { read_image(root + "/pipe"); },
                            "pipe: cannot be read; it is not a regular file");
}

}  // namespace
}  // namespace chainerxx::datasets
